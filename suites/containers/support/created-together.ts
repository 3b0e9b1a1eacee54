import { Together } from './tried-together.ts';

/**
 * The containers on which what create takes is tried together. Where rules try several values of a field, each container
 * has one of them:
 *
 * |              | bridged       | isolated   | onHost     | besideById     | besideByName     |
 * | ------------ | ------------- | ---------- | ---------- | -------------- | ---------------- |
 * | NetworkMode  | bridge        | none       | host       | container:<id> | container:<name> |
 * | PidMode      | empty         | host       |            | container:<id> | container:<name> |
 * | VolumesFrom  | <name>        | <name>:rw  | <name>:ro  |                |                  |
 * | CpusetCpus   | one           | a range    | a list     |                |                  |
 * | CpuShares    | 128           | 4096       |            |                |                  |
 * | CgroupParent | absolute      | relative   |            |                |                  |
 * | capabilities | one more      | many more  | privileged |                |                  |
 *
 * None of these settings hides or causes what another one shows. What only one rule tries is on the first one.
 */
export const bridged = new Together('settings on the bridge network');
export const isolated = new Together('settings without a network');
export const onHost = new Together('settings on the network of the host');
export const besideById = new Together('the network and process ids of others by identifier');
export const besideByName = new Together('the network and process ids of others by name');

/** Has the network that a container without NetworkMode gets, or does not get. */
export const configured = new Together('several fields of the configuration');
