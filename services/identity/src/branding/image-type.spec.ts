import { aPicture } from '../../test/pictures';
import { imageTypeOf } from './image-type';

it.each([
  ['image/png', aPicture.png()],
  ['image/jpeg', aPicture.jpeg()],
  ['image/gif', aPicture.gif()],
  ['image/webp', aPicture.webp()],
  ['image/x-icon', aPicture.icon()],
])('detects %s', (type, bytes) => expect(imageTypeOf(bytes)).toBe(type));

it.each([
  ['nothing', Buffer.alloc(0)],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['XML', Buffer.from('<?xml version="1.0"?><svg/>')],
  ['half a signature', Buffer.from('89504e47', 'hex')],
  ['a RIFF sound file', Buffer.from('524946460000000057415645', 'hex')],
  ['a cursor', Buffer.concat([Buffer.from('000002000100', 'hex'), aPicture.icon().subarray(6)])],
  ['an icon without its image', aPicture.icon().subarray(0, 24)],
  ['an icon without pictures', Buffer.concat([Buffer.from('000001000000', 'hex'), Buffer.alloc(30)])],
  ['BMP', Buffer.from('424d0000000000000000', 'hex')],
  ['PDF', Buffer.from('%PDF-1.7')],
])('rejects %s', (_what, bytes) => expect(imageTypeOf(bytes)).toBeUndefined());
