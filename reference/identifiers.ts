import { randomBytes, randomInt } from 'node:crypto';

/** A new 64-digit hexadecimal identifier. */
export function newId(): string {
  return randomBytes(32).toString('hex');
}

const moods = ['bold', 'calm', 'eager', 'fair', 'glad', 'keen', 'mild', 'neat', 'proud', 'quick', 'sharp', 'warm'];
const things = ['anchor', 'beacon', 'canoe', 'delta', 'ferry', 'harbor', 'island', 'jetty', 'lagoon', 'pier', 'reef'];

/** A container name for a create without one. */
export function newName(): string {
  const mood = moods[randomInt(moods.length)] ?? 'calm';
  const thing = things[randomInt(things.length)] ?? 'pier';
  return `${mood}_${thing}_${randomBytes(4).toString('hex')}`;
}
