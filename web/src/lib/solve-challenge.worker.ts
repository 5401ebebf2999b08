import { search, type Challenge } from './proof-of-work';

self.onmessage = ({ data }: MessageEvent<Challenge>) => self.postMessage(search(data, 0, data.maxnumber));
