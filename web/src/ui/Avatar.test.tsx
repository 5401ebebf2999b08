import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { avatarTones } from './Avatar';

const tokens = [...readFileSync(join(__dirname, '../tokens.css'), 'utf8').matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(
  ([, name = '', lightness, chroma, hue]) => ({ name, lightness: Number(lightness), chroma: Number(chroma), hue: Number(hue) }),
);
const isMeaning = ({ name }: { name: string }) => /^(blue|amber|violet|green|red|orange|accent)-(text|solid)$/.test(name);
const isAvatar = ({ name }: { name: string }) => name.startsWith('avatar-');
const apart = (a: number, b: number) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));

it('uses avatar tokens only', () => {
  for (const tone of avatarTones) expect(tone).toMatch(/^bg-avatar-(\w+)-soft text-avatar-\1-text$/);
});

it('keeps each avatar hue away from the colors that carry meaning', () => {
  const avatars = tokens.filter(isAvatar);
  expect(avatars).toHaveLength(avatarTones.length * 4);
  // Grays have no hue that could be confused with another.
  for (const avatar of avatars.filter(({ chroma }) => chroma > 0.03))
    for (const meaning of tokens.filter(isMeaning))
      expect({ avatar: avatar.name, meaning: meaning.name, isApart: apart(avatar.hue, meaning.hue) >= 20 }).toEqual({
        avatar: avatar.name,
        meaning: meaning.name,
        isApart: true,
      });
});

it('keeps initials readable: light text on dark, dark text on light', () => {
  for (const { name, lightness } of tokens.filter(isAvatar).filter(({ name }) => name.endsWith('-text'))) {
    const grounds = tokens.filter((token) => token.name === name.replace('-text', '-soft'));
    expect(Math.max(...grounds.map((ground) => Math.abs(ground.lightness - lightness)))).toBeGreaterThan(0.45);
  }
});
