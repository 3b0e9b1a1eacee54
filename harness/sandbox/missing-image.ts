/** Why the probe image cannot be had. */
export interface MissingImage {
  readonly reason: string;
  /** Whether the target serves any of the ways to bring an image. */
  readonly isServed: boolean;
}
