import { isIPv4, isIPv6 } from 'node:net';
import { badParameter, serverError } from '../errors.ts';
import type { IpamConfig } from './ipam-config.ts';

/** A range of addresses in CIDR form: its first address, and how many bits all its addresses share. */
interface Range {
  readonly isV6: boolean;
  readonly base: bigint;
  readonly length: number;
}

/** A subnet with its gateway. */
export interface Subnet extends Range {
  /** `10.1.2.0/24`. */
  readonly cidr: string;
  readonly gateway: string;
  /** The part of it that endpoints get their addresses from. */
  readonly range: Range;
  /** Addresses that endpoints never get. */
  readonly reserved: readonly string[];
}

/** Reads a subnet; the gateway is its first address when none is given. Throws 400. */
export function readSubnet({ Subnet: cidr, IPRange = '', Gateway = '', AuxAddress }: IpamConfig): Subnet {
  const subnet = readRange(cidr);
  const range = IPRange === '' ? subnet : readRange(IPRange);
  if (range.isV6 !== subnet.isV6 || range.length < subnet.length || !isIn(subnet, range.base)) {
    throw badParameter(`the range ${IPRange} is not in ${cidr}`);
  }
  const inside = (address: string): string => {
    if (!isIn(subnet, toNumber(address, subnet.isV6))) throw badParameter(`${address} is not in ${cidr}`);
    return address;
  };
  return {
    ...subnet,
    range,
    cidr: `${toText(subnet.base, subnet.isV6)}/${subnet.length}`,
    gateway: Gateway === '' ? toText(subnet.base + 1n, subnet.isV6) : inside(Gateway),
    reserved: auxiliaryAddresses(AuxAddress).map(inside),
  };
}

/** Whether two subnets have an address in common. */
export function overlap(one: Subnet, other: Subnet): boolean {
  if (one.isV6 !== other.isV6) return false;
  return one.length < other.length ? isIn(one, other.base) : isIn(other, one.base);
}

/** The addresses of `name:address`, of a list of those, or of a map from names to addresses. */
function auxiliaryAddresses(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value.slice(value.indexOf(':') + 1)];
  if (Array.isArray(value)) return value.flatMap(auxiliaryAddresses);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((address) => typeof address === 'string');
}

function readRange(cidr: string): Range {
  const [address = '', bits = ''] = cidr.split('/');
  const isV6 = isIPv6(address);
  const width = isV6 ? 128 : 32;
  const length = Number(bits);
  const number = toNumber(address, isV6);
  if (number === undefined || !/^\d{1,3}$/.test(bits) || length < 1 || length > width) {
    throw badParameter(`${JSON.stringify(cidr)} is no subnet`);
  }
  const free = BigInt(width - length);
  return { isV6, base: (number >> free) << free, length };
}

function lastOf({ base, length, isV6 }: Range): bigint {
  return base + (1n << BigInt((isV6 ? 128 : 32) - length)) - 1n;
}

function isIn(range: Range, address: bigint | undefined): boolean {
  return address !== undefined && address >= range.base && address <= lastOf(range);
}

/** The addresses of a subnet that endpoints may have. */
export class AddressPool {
  readonly #subnet: Subnet;
  readonly #used: Set<bigint | undefined>;

  constructor(subnet: Subnet) {
    this.#subnet = subnet;
    this.#used = new Set([subnet.gateway, ...subnet.reserved].map((address) => toNumber(address, subnet.isV6)));
  }

  /** The address asked for, else the lowest free one. Throws 500 for one outside or taken, and when none is free. */
  take(asked = ''): string {
    const number = asked === '' ? this.#lowest() : this.#checked(asked);
    this.#used.add(number);
    return toText(number, this.#subnet.isV6);
  }

  release(address: string): void {
    this.#used.delete(toNumber(address, this.#subnet.isV6));
  }

  /** The first and last address of a subnet are nobody's. */
  #isUsable(number: bigint): boolean {
    return number > this.#subnet.base && (this.#subnet.isV6 || number < lastOf(this.#subnet));
  }

  #lowest(): bigint {
    const { range } = this.#subnet;
    for (let number = range.base; number <= lastOf(range); number += 1n) {
      if (this.#isUsable(number) && !this.#used.has(number)) return number;
    }
    throw serverError('the network has no free address');
  }

  #checked(asked: string): bigint {
    const number = toNumber(asked, this.#subnet.isV6);
    if (number === undefined || !isIn(this.#subnet, number) || !this.#isUsable(number)) {
      throw serverError(`${asked} is no address for an endpoint of ${this.#subnet.cidr}`);
    }
    if (this.#used.has(number)) throw serverError(`the address ${asked} is taken`);
    return number;
  }
}

/** An address as a number; undefined when it is none of that version. */
function toNumber(address: string, isV6: boolean): bigint | undefined {
  if (!isV6) return isIPv4(address) ? joined(address.split('.').map(BigInt), 8n) : undefined;
  if (!isIPv6(address) || address.includes('.')) return undefined;
  const [first = [], last = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return joined(
    [...first, ...zeros, ...last].map((group) => BigInt(`0x${group}`)),
    16n,
  );
}

function joined(groups: readonly bigint[], bits: bigint): bigint {
  return groups.reduce((sum, group) => (sum << bits) | group, 0n);
}

function toText(number: bigint, isV6: boolean): string {
  if (!isV6) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_none, index) => (number >> BigInt(112 - index * 16)) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(':');
  // The longest run of zeros is left out (RFC 5952).
  const runs = text.match(/(?:^|:)0(?::0)+(?=:|$)/g) ?? [];
  const longest = runs.sort((a, b) => b.replace(/^:/, '').length - a.replace(/^:/, '').length)[0];
  if (longest === undefined) return text;
  const at = text.indexOf(longest);
  return `${text.slice(0, at)}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}
