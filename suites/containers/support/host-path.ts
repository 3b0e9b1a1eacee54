import { commonContainer } from '../../support/common-containers.ts';

/** Where a directory of the host is mounted in `ofHostPath`, and in no other container. */
export const hostPathPlace = '/ec-bind';

/** Was never started. */
export const ofHostPath = commonContainer('a container with a directory of the host', {
  hostConfig: { Binds: [`/tmp:${hostPathPlace}:ro`] },
});
