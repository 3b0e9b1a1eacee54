import { isIPv4, isIPv6 } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { badParameter, serverError } from '../errors.ts';
import type { IpamConfig } from './ipam-config.ts';

/** A range of addresses in CIDR form: its first address, and the number of bits that all its addresses share. */
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
  /** The part of it for the addresses of endpoints. */
  readonly range: Range;
  /** Addresses that endpoints never get. */
  readonly reserved: readonly string[];
}

/** Reads a subnet; the gateway defaults to its first address. Throws 400. */
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
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr) && !ipaddr.IPv6.isValidCIDR(cidr)) throw noSubnet(cidr);
  const [address, length] = ipaddr.parseCIDR(cidr);
  const isV6 = address.kind() === 'ipv6';
  if (length === 0) throw noSubnet(cidr);
  const free = BigInt((isV6 ? 128 : 32) - length);
  return { isV6, base: (numberOf(address) >> free) << free, length };
}

function noSubnet(cidr: string): Error {
  return badParameter(`${JSON.stringify(cidr)} is no subnet`);
}

function lastOf({ base, length, isV6 }: Range): bigint {
  return base + (1n << BigInt((isV6 ? 128 : 32) - length)) - 1n;
}

function isIn(range: Range, address: bigint | undefined): boolean {
  return address !== undefined && address >= range.base && address <= lastOf(range);
}

/** The addresses of a subnet that are available to endpoints. */
export class AddressPool {
  readonly #subnet: Subnet;
  readonly #used: Set<bigint | undefined>;

  constructor(subnet: Subnet) {
    this.#subnet = subnet;
    this.#used = new Set([subnet.gateway, ...subnet.reserved].map((address) => toNumber(address, subnet.isV6)));
  }

  /**
   * Takes the requested address, or else the lowest free one. Throws 500 for an address outside the subnet or taken,
   * and when none is free.
   */
  take(asked = ''): string {
    const number = asked === '' ? this.#lowest() : this.#checked(asked);
    this.#used.add(number);
    return toText(number, this.#subnet.isV6);
  }

  release(address: string): void {
    this.#used.delete(toNumber(address, this.#subnet.isV6));
  }

  /** The first and last address of a subnet are not used. */
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

/** An address as a number; undefined when it is not an address of that version. */
function toNumber(address: string, isV6: boolean): bigint | undefined {
  const isOne = isV6 ? isIPv6(address) && !address.includes('%') : isIPv4(address);
  return isOne ? numberOf(ipaddr.parse(address)) : undefined;
}

function numberOf(address: IPv4 | IPv6): bigint {
  return BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
}

/** In the form of RFC 5952. */
function toText(number: bigint, isV6: boolean): string {
  const digits = number.toString(16).padStart(isV6 ? 32 : 8, '0');
  const address = ipaddr.fromByteArray([...Buffer.from(digits, 'hex')]);
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}
