/** The parts of a conversation for which its first screen does not wait, in one chunk. */
export { EventLines, UndeliveredEmail } from './EventLines';
export { SenderWarning } from './SenderWarning';
export { SourceMark } from './SourceMark';
