import { buildImage } from './build/build.ts';
import * as act from './containers/actions.ts';
import { getArchive, headArchive } from './containers/archive/archive.ts';
import { putArchive } from './containers/archive/archive-put.ts';
import { copyFromContainer } from './containers/archive/copy.ts';
import { exportContainer } from './containers/archive/export.ts';
import { createContainer } from './containers/create.ts';
import { updateContainer } from './containers/settings/update.ts';
import { attachContainer, attachWebSocket } from './containers/streams/attach.ts';
import { containerLogs } from './containers/streams/logs.ts';
import { containerChanges } from './containers/views/changes.ts';
import { inspectContainer } from './containers/views/inspect.ts';
import { listContainers } from './containers/views/list.ts';
import { containerStats } from './containers/views/stats.ts';
import { containerTop } from './containers/views/top.ts';
import { notFound } from './errors.ts';
import { streamEvents } from './events/stream.ts';
import { createExec } from './exec/create.ts';
import { inspectExec, resizeExec } from './exec/inspect.ts';
import { startExec } from './exec/start.ts';
import type { Call } from './http/call.ts';
import type { Route } from './http/routes.ts';
import { commitContainer } from './images/commit.ts';
import { imageHistory } from './images/history.ts';
import { inspectImage } from './images/inspect.ts';
import { listImages } from './images/list.ts';
import { loadImages } from './images/load.ts';
import { removeImage } from './images/remove.ts';
import { saveImage, saveImages } from './images/save.ts';
import { tagImage } from './images/tag.ts';
import * as networks from './networks/endpoints.ts';
import { checkAuth } from './registry-client/auth.ts';
import { createImage } from './registry-client/create.ts';
import { pushImage } from './registry-client/push.ts';
import { searchImages } from './registry-client/search.ts';
import { info, ping, version } from './system/system.ts';
import * as volumes from './volumes/endpoints.ts';

/** Image names may contain slashes: the segment after the last one is the action. */
function imageEndpoint(actions: Readonly<Record<string, (call: Call, name: string) => void | Promise<void>>>) {
  return (call: Call): void | Promise<void> => {
    const path = call.param('rest');
    const slash = path.lastIndexOf('/');
    const action = slash > 0 ? actions[path.slice(slash + 1)] : undefined;
    if (!action) throw notFound(`there is no endpoint /images/${path}`);
    return action(call, path.slice(0, slash));
  };
}

/** An endpoint that 1.20 does not have. */
function since21(handler: (call: Call) => void | Promise<void>): (call: Call) => void | Promise<void> {
  return (call) => {
    if (!call.since('1.21')) throw notFound('there is no such endpoint before 1.21');
    return handler(call);
  };
}

/** An endpoint that 1.24 and later versions do not have (Document 4). */
function until23(handler: (call: Call) => void | Promise<void>): (call: Call) => void | Promise<void> {
  return (call) => {
    if (call.since('1.24')) throw notFound('there is no such endpoint since 1.24');
    return handler(call);
  };
}

/** Every endpoint of the engine. */
export const endpoints: readonly Route[] = [
  ['GET', '/_ping', ping],
  ['GET', '/version', version],
  ['GET', '/info', info],
  ['POST', '/auth', checkAuth],
  ['GET', '/events', streamEvents],
  ['GET', '/containers/json', listContainers],
  ['POST', '/containers/create', createContainer],
  ['GET', '/containers/{id}/json', inspectContainer],
  ['GET', '/containers/{id}/logs', containerLogs],
  ['POST', '/containers/{id}/attach', attachContainer],
  ['GET', '/containers/{id}/attach/ws', attachWebSocket],
  ['GET', '/containers/{id}/top', containerTop],
  ['GET', '/containers/{id}/changes', containerChanges],
  ['GET', '/containers/{id}/export', exportContainer],
  ['GET', '/containers/{id}/stats', containerStats],
  ['POST', '/containers/{id}/update', updateContainer],
  ['POST', '/containers/{id}/copy', until23(copyFromContainer)],
  ['HEAD', '/containers/{id}/archive', headArchive],
  ['GET', '/containers/{id}/archive', getArchive],
  ['PUT', '/containers/{id}/archive', putArchive],
  ['POST', '/containers/{id}/exec', createExec],
  ['POST', '/exec/{id}/start', startExec],
  ['POST', '/exec/{id}/resize', resizeExec],
  ['GET', '/exec/{id}/json', inspectExec],
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
  ['GET', '/volumes', since21(volumes.listVolumes)],
  ['POST', '/volumes/create', since21(volumes.createVolume)],
  ['GET', '/volumes/{name}', since21(volumes.inspectVolume)],
  ['DELETE', '/volumes/{name}', since21(volumes.removeVolume)],
  ['GET', '/networks', since21(networks.listNetworks)],
  ['POST', '/networks/create', since21(networks.createNetwork)],
  ['GET', '/networks/{id}', since21(networks.inspectNetwork)],
  ['POST', '/networks/{id}/connect', since21(networks.connectNetwork)],
  ['POST', '/networks/{id}/disconnect', since21(networks.disconnectNetwork)],
  ['DELETE', '/networks/{id}', since21(networks.removeNetwork)],
  ['GET', '/images/json', listImages],
  ['GET', '/images/search', searchImages],
  ['POST', '/images/load', loadImages],
  ['POST', '/images/create', createImage],
  ['POST', '/build', buildImage],
  ['POST', '/commit', commitContainer],
  ['GET', '/images/get', saveImages],
  ['POST', '/images/{rest…}', imageEndpoint({ push: pushImage, tag: tagImage })],
  ['GET', '/images/{rest…}', imageEndpoint({ json: inspectImage, history: imageHistory, get: saveImage })],
  ['DELETE', '/images/{name…}', removeImage],
];
