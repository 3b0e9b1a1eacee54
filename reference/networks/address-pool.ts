import { badParameter, serverError } from '../errors.ts';

/** An IPv4 subnet with its gateway. */
export interface Subnet {
  /** `10.1.2.0/24`. */
  readonly cidr: string;
  readonly base: number;
  readonly length: number;
  readonly gateway: string;
}

/** Reads a subnet; the gateway is its first address when none is given. Throws 400. */
export function readSubnet(cidr: string, gateway = ''): Subnet {
  const [address = '', bits = ''] = cidr.split('/');
  const length = Number(bits);
  const number = toNumber(address);
  if (number === undefined || bits === '' || !Number.isInteger(length) || length < 8 || length > 30) {
    throw badParameter(`${JSON.stringify(cidr)} is no IPv4 subnet`);
  }
  const size = 2 ** (32 - length);
  const base = number - (number % size);
  if (gateway !== '' && toNumber(gateway) === undefined) throw badParameter(`${gateway} is no IPv4 address`);
  return { cidr: `${toText(base)}/${length}`, base, length, gateway: gateway || toText(base + 1) };
}

/** The addresses of a subnet that endpoints may have; the gateway's is taken. */
export class AddressPool {
  readonly #subnet: Subnet;
  readonly #used = new Set<string>();

  constructor(subnet: Subnet) {
    this.#subnet = subnet;
    this.#used.add(subnet.gateway);
  }

  /** The address asked for, else the lowest free one. Throws 400 for one outside, 500 when none is free. */
  take(asked = ''): string {
    const address = asked === '' ? this.#lowest() : this.#checked(asked);
    this.#used.add(address);
    return address;
  }

  release(address: string): void {
    this.#used.delete(address);
  }

  #lowest(): string {
    const { base, length } = this.#subnet;
    for (let number = base + 2; number < base + 2 ** (32 - length) - 1; number += 1) {
      const address = toText(number);
      if (!this.#used.has(address)) return address;
    }
    throw serverError('the network has no free address');
  }

  #checked(asked: string): string {
    const { base, length, cidr } = this.#subnet;
    const number = toNumber(asked) ?? -1;
    if (number <= base || number >= base + 2 ** (32 - length)) throw badParameter(`${asked} is not in ${cidr}`);
    if (this.#used.has(asked)) throw serverError(`the address ${asked} is taken`);
    return asked;
  }
}

function toNumber(address: string): number | undefined {
  const parts = address.split('.').map(Number);
  const valid = parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  return valid ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
