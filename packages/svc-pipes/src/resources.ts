import { defineResource, taggedRecord } from '@emu/core/service';
import type { PipeRegistry } from './registry.ts';
import { tagging } from './tags.ts';

/**
 * Pipes.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgepipes.html
 */
export const pipeType = defineResource({
  name: 'pipe',
  service: 'pipes',
  scope: 'region',
  format: 'pipe/{name}',
  cloudFormation: 'AWS::Pipes::Pipe',
  arnMembers: ['resourceArn'],
  identify: (input, place) => (typeof input.Name === 'string' ? { key: { name: input.Name }, place } : undefined),
  find: (registry: PipeRegistry, { name }) => (registry.pipe(name) ? { name } : undefined),
  list: (registry) => registry.listPipes().map(({ name }) => ({ name })),
  tagged: { tagging, find: (registry, { name }) => taggedRecord(registry.pipes, name) },
});

/** Resource types of EventBridge Pipes. */
export const resources = [pipeType];
