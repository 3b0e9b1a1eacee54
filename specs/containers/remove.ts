import { serverError } from '../common-answers.ts';
import {
  containerIdRule,
  noContentRule,
  pausable,
  running,
  serverErrorRule,
  unknownContainerRule,
} from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { type Rule, rules } from '../rule.ts';
import { badParameter, containerId, noSuchContainer } from './common.ts';

const source = [2, 'Remove a container'] as const;
const later = [4, 'Containers'] as const;

export const remove = endpoint({
  id: 'containers.remove',
  method: 'DELETE',
  path: '/containers/{id}',
  summary: 'removes a container',
  source,
  parameters: {
    id: containerId,
    v: { in: 'query', schema: flagOff, says: 'its volumes are removed with it' },
    force: { in: 'query', schema: flagOff, says: 'it is killed first' },
    link: { in: 'query', schema: flagOff, says: 'only the link of that name is removed' },
  },
  answers: {
    204: { says: 'the container is removed', body: 'empty' },
    400: badParameter,
    404: noSuchContainer,
    409: { says: 'a conflict', body: 'text' },
    500: serverError,
  },
});

const flags = flagRules(remove);

export const removeRules = {
  ...rules(
    'containers.remove',
    { endpoint: remove, source },
    {
      'answers-204': {
        kind: 'status',
        says: 'answers 204 when it removes a container',
        row: '204, 400, 404, 409, 500',
      },
      'empty-body': noContentRule,
      'unknown-answers-404': { ...unknownContainerRule, row: '204, 400, 404, 409, 500' },
      'bad-parameter-400': {
        kind: 'status',
        says: 'answers 400 to a bad parameter',
        row: '204, 400, 404, 409, 500',
        unchecked:
          'no value of its parameters is said to be bad; what it does with a flag in another spelling is observed',
      },
      'conflict-409': {
        kind: 'status',
        says: 'answers 409 on a conflict',
        row: '204, 400, 404, 409, 500',
        unchecked: 'what a conflict is at removal is not stated; the status for a running container is observed',
      },
      'server-error-500': { ...serverErrorRule, row: '204, 400, 404, 409, 500' },
      'id-or-name': containerIdRule,
      'container-gone': {
        kind: 'state',
        says: 'leaves no container of that identifier or name',
        row: '204, 400, 404, 409, 500',
      },
      'v-removes-volumes': {
        kind: 'parameter',
        says: 'removes the volumes of the container when v is true',
        row: 'v, force, link',
      },
      'v-default-false': {
        kind: 'parameter',
        says: 'keeps the volumes of the container when v is not set',
        row: 'v, force, link',
      },
      'force-kills': {
        kind: 'state',
        says: 'kills and removes a running container when force is true',
        source: [1, 'States and transitions'],
        row: 'remove',
        needs: running,
      },
      'force-paused': {
        kind: 'state',
        says: 'removes a paused container when force is true',
        source: [1, 'States and transitions'],
        row: 'remove',
        needs: ['containers-run', 'freezer'],
      },
      'force-ended': {
        kind: 'state',
        says: 'removes a container that does not run when force is true, as it does without',
        source: [1, 'States and transitions'],
        row: 'remove',
        needs: running,
      },
      'force-default-false': {
        kind: 'parameter',
        says: 'refuses to remove a running container when force is not set',
        row: 'v, force, link',
        interpretations: ['remove-running'],
        needs: running,
      },
      'running-answers-409': {
        kind: 'status',
        says: 'answers 409 for a running container when force is not set',
        source: later,
        since: '1.24',
        needs: running,
      },
      'paused-answers-409': {
        kind: 'status',
        says: 'answers 409 for a paused container when force is not set',
        source: later,
        since: '1.24',
        needs: pausable,
      },
      'link-removes-link': {
        kind: 'parameter',
        says: 'removes only the link, and keeps both containers, when link is true',
        row: 'v, force, link',
        level: 'should',
        interpretations: ['link-path'],
        needs: running,
      },
      'link-default-false': {
        kind: 'parameter',
        says: 'removes the container when link is not set',
        row: 'v, force, link',
      },
      'running-status': {
        kind: 'observe',
        says: 'with which status it refuses to remove a running container without force',
        row: 'v, force, link',
        interpretations: ['remove-running'],
        needs: running,
      },
      'flag-other': {
        kind: 'observe',
        says: 'what it does with a running container when force is neither true nor false in a known spelling',
        row: 'v, force, link',
        interpretations: ['flags'],
        needs: running,
      },
      paused: {
        kind: 'observe',
        says: 'what it does with a paused container without force',
        row: 'v, force, link',
        needs: ['containers-run', 'freezer'],
      },
    },
  ),
  ...flags,
  // Whether the link was removed shows at the path that names it.
  'containers.remove.link-spellings': {
    ...flags['containers.remove.link-spellings'],
    level: 'should',
    interpretations: ['flags', 'link-path'],
  } satisfies Rule,
};
