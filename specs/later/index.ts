import { additiveRows } from './additive.ts';
import { carriedForwardRows } from './carried-forward.ts';
import { containerRows } from './containers.ts';
import { execRows } from './exec.ts';
import { generalRows } from './general.ts';
import { imageRows } from './images.ts';
import { volumeAndNetworkRows } from './networks.ts';
import type { LaterSection } from './row.ts';
import { systemRows } from './system.ts';

/** Every row of Document 4, in its order. */
export const laterSections: readonly LaterSection[] = [
  generalRows,
  containerRows,
  imageRows,
  systemRows,
  execRows,
  volumeAndNetworkRows,
  additiveRows,
  carriedForwardRows,
];
