import ipaddr from 'ipaddr.js';

/** Addresses for one network of a check. */
export interface Subnet {
  /** 16 addresses: `198.18.7.32/28`. */
  readonly cidr: string;
  /** Their upper half. */
  readonly upperHalf: string;
  /** The address at a position in the subnet, 0 to 15. */
  at(place: number): string;
  /** A /64 IPv6 subnet, and the address at a position in it. */
  readonly cidr6: string;
  at6(place: number): string;
}

/** Subnets of 16 addresses in 198.18.0.0/15, which is reserved for benchmarking network devices (RFC 2544). */
const slots = 2 ** (32 - 15 - 4);

let taken = 0;

/**
 * The next subnet of a run. Each run starts at a different place, and there are more subnets than a run takes, so two
 * runs on one host seldom collide.
 */
export function nextSubnet(run: string): Subnet {
  const letters = [...run].map((letter) => letter.charCodeAt(0));
  const start = letters.reduce((sum, code) => (sum * 31 + code) % 0xffff, 7);
  const number = taken++;
  const slot = (start + number) % slots;
  const prefix = `198.${18 + Math.floor(slot / 4096)}.${Math.floor(slot / 16) % 256}`;
  const base = (slot % 16) * 16;
  // For documentation (RFC 3849). No part is 0, as a daemon may abbreviate zeros.
  const prefix6 = `2001:db8:${(start + 1).toString(16)}:${((number % 0xffff) + 1).toString(16)}`;
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
  return ipaddr.IPv4.isValidFourPartDecimal(address) && ipaddr.parse(address).match(ipaddr.parseCIDR(cidr));
}

/** Whether a daemon's text is an IPv6 address, in whichever of the forms that this has. */
export function isIPv6Address(shown: unknown, address: string): boolean {
  return typeof shown === 'string' && ipaddr.IPv6.isValid(shown) && isSame(ipaddr.IPv6.parse(shown), address);
}

function isSame(one: ipaddr.IPv6, address: string): boolean {
  return one.toNormalizedString() === ipaddr.IPv6.parse(address).toNormalizedString();
}
