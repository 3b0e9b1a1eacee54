import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outsideOf, settingsOf, valuesOf } from '../../harness/generators/settings.ts';
import { schemaFor } from '../../specs/derive.ts';
import { containerCreateBody } from '../../specs/resources/container.ts';
import { containerConfig } from '../../specs/resources/container-config.ts';
import { hostConfig } from '../../specs/resources/host-config.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { bodiesIn } from '../../suites/generated/support/container-values.ts';

describe.each(documentedVersions)('a generated container of %s', (api) => {
  test('is one that the schema takes, with members of that version only', () => {
    const validate = new Ajv2020({ strict: false }).compile(schemaFor(containerCreateBody, api));
    const known = Object.keys(Object(schemaFor(hostConfig, api).properties));
    fc.assert(
      fc.property(bodiesIn(api), ({ config, hostConfig: HostConfig }) => {
        expect(validate({ ...config, HostConfig }), JSON.stringify(validate.errors)).toBe(true);
        for (const member of Object.keys(HostConfig)) expect(known).toContain(member);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  test('has limits that go together', () => {
    fc.assert(
      fc.property(bodiesIn(api), ({ hostConfig: { Memory, MemorySwap, MemoryReservation } }) => {
        if (MemorySwap !== undefined && MemorySwap !== -1) expect(Number(MemorySwap)).toBeGreaterThan(Number(Memory));
        if (MemoryReservation !== undefined) expect(Number(MemoryReservation)).toBeLessThanOrEqual(Number(Memory));
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});

test('what nothing tells a value of is not forgotten', () => {
  expect(() => settingsOf(containerConfig, '1.23', {})).toThrow('Hostname');
});

test('values of a schema keep to its bounds, and those outside do not', () => {
  const { BlkioWeight } = hostConfig.properties;
  const inside = valuesOf(BlkioWeight);
  expect(inside).toBeDefined();
  const isInside = (value: unknown) => Number(value) >= 10 && Number(value) <= 1000;
  if (inside) fc.assert(fc.property(inside, isInside), { seed: 1 });
  fc.assert(
    fc.property(outsideOf(BlkioWeight), (value) => !isInside(value)),
    { seed: 1 },
  );
});
