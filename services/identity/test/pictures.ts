const hex = (text: string, more: Uint8Array = Buffer.alloc(0)): Buffer => Buffer.concat([Buffer.from(text, 'hex'), more]);

/** A small picture of each kind; `more` appends bytes to make it unique or large. */
export const aPicture = {
  /** One pixel. */
  png: (more?: Uint8Array) =>
    Buffer.concat([
      Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
      ...(more ? [more] : []),
    ]),
  jpeg: (more?: Uint8Array) => hex('ffd8ffe000104a464946', more),
  gif: (more?: Uint8Array) => hex('474946383961010001000000003b', more),
  webp: (more?: Uint8Array) => hex('524946461a000000574542505650384c', more),
  icon: () => hex('00000100010001010000010020000800000016000000', Buffer.alloc(8, 1)),
};
