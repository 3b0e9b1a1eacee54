import { announce, byId, el } from './dom.ts';

/** Says what the address names and this report does not have; an empty list takes the notice away. */
export function tellUnknown(missing: readonly string[]): void {
  const place = byId('unknown');
  place.replaceChildren();
  if (missing.length === 0) return;
  const text = `The link is to something that this report does not have: ${missing.join('; ')}.`;
  place.append(el('p', { class: 'notice' }, text));
  place.scrollIntoView({ block: 'nearest' });
  announce(text);
}
