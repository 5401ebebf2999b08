import { File, FileArchive, FileImage, FileMusic, FileText, FileVideo, type LucideIcon } from 'lucide-react';

const icons: [RegExp, LucideIcon][] = [
  [/^image\//, FileImage],
  [/^audio\//, FileMusic],
  [/^video\//, FileVideo],
  [/^text\/|pdf$|word|opendocument|officedocument/, FileText],
  [/zip|compressed|x-tar|gzip|rar/, FileArchive],
];

export function FileIcon({ type }: { type: string }) {
  const Icon = icons.find(([pattern]) => pattern.test(type))?.[1] ?? File;
  return <Icon aria-hidden />;
}
