/** An entry of a network's IPAM Config (Document 3, Networks). */
export interface IpamConfig {
  readonly Subnet: string;
  readonly IPRange?: string;
  readonly Gateway?: string;
  readonly AuxAddress?: unknown;
}
