import * as act from './containers/actions.ts';
import { attachContainer } from './containers/attach.ts';
import { createContainer } from './containers/create.ts';
import { inspectContainer } from './containers/inspect.ts';
import { listContainers } from './containers/list.ts';
import { containerLogs } from './containers/logs.ts';
import { notFound } from './errors.ts';
import { streamEvents } from './events/stream.ts';
import type { Call } from './http/call.ts';
import type { Route } from './http/routes.ts';
import { inspectImage } from './images/inspect.ts';
import { listImages } from './images/list.ts';
import { loadImages } from './images/load.ts';
import { removeImage } from './images/remove.ts';
import * as networks from './networks/endpoints.ts';
import { info, ping, version } from './system/system.ts';
import * as volumes from './volumes/endpoints.ts';

/** Image names may hold slashes: what follows the last one is what to do with the image. */
function imageEndpoint(actions: Readonly<Record<string, (call: Call, name: string) => void | Promise<void>>>) {
  return (call: Call): void | Promise<void> => {
    const path = call.param('rest');
    const slash = path.lastIndexOf('/');
    const action = slash > 0 ? actions[path.slice(slash + 1)] : undefined;
    if (!action) throw notFound(`there is no endpoint /images/${path}`);
    return action(call, path.slice(0, slash));
  };
}

/** Every endpoint of the engine. */
export const endpoints: readonly Route[] = [
  ['GET', '/_ping', ping],
  ['GET', '/version', version],
  ['GET', '/info', info],
  ['GET', '/events', streamEvents],
  ['GET', '/containers/json', listContainers],
  ['POST', '/containers/create', createContainer],
  ['GET', '/containers/{id}/json', inspectContainer],
  ['GET', '/containers/{id}/logs', containerLogs],
  ['POST', '/containers/{id}/attach', attachContainer],
  ['POST', '/containers/{id}/start', act.startContainer],
  ['POST', '/containers/{id}/stop', act.stopContainer],
  ['POST', '/containers/{id}/restart', act.restartContainer],
  ['POST', '/containers/{id}/kill', act.killContainer],
  ['POST', '/containers/{id}/pause', act.pauseContainer],
  ['POST', '/containers/{id}/unpause', act.unpauseContainer],
  ['POST', '/containers/{id}/rename', act.renameContainer],
  ['POST', '/containers/{id}/resize', act.resizeContainer],
  ['POST', '/containers/{id}/wait', act.waitContainer],
  ['DELETE', '/containers/{id…}', act.removeContainer],
  ['GET', '/volumes', volumes.listVolumes],
  ['POST', '/volumes/create', volumes.createVolume],
  ['GET', '/volumes/{name}', volumes.inspectVolume],
  ['DELETE', '/volumes/{name}', volumes.removeVolume],
  ['GET', '/networks', networks.listNetworks],
  ['POST', '/networks/create', networks.createNetwork],
  ['GET', '/networks/{id}', networks.inspectNetwork],
  ['POST', '/networks/{id}/connect', networks.connectNetwork],
  ['POST', '/networks/{id}/disconnect', networks.disconnectNetwork],
  ['DELETE', '/networks/{id}', networks.removeNetwork],
  ['GET', '/images/json', listImages],
  ['POST', '/images/load', loadImages],
  ['GET', '/images/{rest…}', imageEndpoint({ json: inspectImage })],
  ['DELETE', '/images/{name…}', removeImage],
];
