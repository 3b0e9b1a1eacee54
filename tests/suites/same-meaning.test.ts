import { expect, test } from 'vitest';
import { meansSame } from '../../suites/containers/support/equivalent-values.ts';

test('a restart policy without a name may be told by the word that later versions have for it', () => {
  const unnamed = { Name: '' };
  expect(meansSame('HostConfig.RestartPolicy', { Name: 'no', MaximumRetryCount: 0 }, unnamed)).toBe(true);
  expect(meansSame('HostConfig.RestartPolicy', { Name: '', MaximumRetryCount: 0 }, unnamed)).toBe(true);
  expect(meansSame('HostConfig.RestartPolicy', { Name: 'always' }, unnamed)).toBe(false);
  expect(meansSame('HostConfig.RestartPolicy', { Name: 'no' }, { Name: 'always' })).toBe(false);
});

test('an engine may list capabilities and devices of its own with those that were asked for', () => {
  expect(meansSame('HostConfig.CapDrop', ['AUDIT_WRITE', 'CAP_MKNOD'], ['MKNOD'])).toBe(true);
  expect(meansSame('HostConfig.CapAdd', ['NET_ADMIN', 'SYS_NICE'], ['NET_ADMIN'])).toBe(true);
  expect(meansSame('HostConfig.CapDrop', ['AUDIT_WRITE'], ['MKNOD'])).toBe(false);
  expect(meansSame('HostConfig.CapAdd', [], ['NET_ADMIN'])).toBe(false);
  const own = { PathOnHost: '/dev/fuse', CgroupPermissions: 'rwm' };
  const asked = { PathOnHost: '/dev/null', CgroupPermissions: 'rwm' };
  expect(meansSame('HostConfig.Devices', [own, { ...asked, CgroupPermissions: 'mrw' }], [asked])).toBe(true);
  expect(meansSame('HostConfig.Devices', [own], [asked])).toBe(false);
});
