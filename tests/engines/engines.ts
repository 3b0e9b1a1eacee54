import type { Engine } from './daemon.ts';
import { dockerd, dockerd26 } from './dockerd.ts';
import { podman, podman54 } from './podman.ts';

/** The daemons that are judged, each with a baseline. */
export const engines: readonly Engine[] = [dockerd, dockerd26, podman, podman54];
