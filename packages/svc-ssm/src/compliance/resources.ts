import { defineResource } from '@emu/core';

/** Managed nodes, of which compliance is told. */
export const managedInstanceType = defineResource({
  name: 'managed-instance',
  service: 'ssm',
  scope: 'region',
  format: 'managed-instance/{id}',
});
