/** Why the probe image is not available. */
export interface MissingImage {
  readonly reason: string;
  /** Whether the target serves any way to bring an image. */
  readonly isServed: boolean;
}
