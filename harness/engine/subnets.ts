/** Addresses for one network of a check. */
export interface Subnet {
  /** 16 addresses: `198.51.100.32/28`. */
  readonly cidr: string;
  /** The upper half of them. */
  readonly upperHalf: string;
  /** The address at a place of the subnet, 0 to 15. */
  at(place: number): string;
  /** An IPv6 subnet of 64 bits, and the address at a place of it. */
  readonly cidr6: string;
  at6(place: number): string;
}

/** Ranges for documentation (RFC 5737), which no network of a host has. */
const ranges = ['198.51.100', '203.0.113'] as const;
const perRange = 16;

let taken = 0;

/**
 * The next subnet of a run. A run begins somewhere of its own, so that two runs on one host seldom meet; when they do,
 * the daemon says so and the one after is taken.
 */
export function nextSubnet(run: string): Subnet {
  const letters = [...run].map((letter) => letter.charCodeAt(0));
  const start = letters.reduce((sum, code) => (sum * 31 + code) % 0xffff, 7);
  const number = taken++;
  const slot = (start + number) % (ranges.length * perRange);
  const prefix = ranges[Math.floor(slot / perRange)] ?? ranges[0];
  const base = (slot % perRange) * 16;
  // For documentation as well (RFC 3849).
  const prefix6 = `2001:db8:${start.toString(16)}:${(number % 0xffff).toString(16)}`;
  return {
    cidr: `${prefix}.${base}/28`,
    upperHalf: `${prefix}.${base + 8}/29`,
    at: (place) => `${prefix}.${base + place}`,
    cidr6: `${prefix6}::/64`,
    at6: (place) => `${prefix6}::${place.toString(16)}`,
  };
}

/** Whether an IPv4 address lies in a subnet in CIDR form. */
export function isInSubnet(address: string, cidr: string): boolean {
  const [base = '', bits = ''] = cidr.split('/');
  const shift = 2 ** (32 - Number(bits));
  const number = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return /^\d+(\.\d+){3}$/.test(address) && Math.floor(number(address) / shift) === Math.floor(number(base) / shift);
}
