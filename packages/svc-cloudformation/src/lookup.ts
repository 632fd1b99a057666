import type { Capability, RollbackConfiguration, Tag } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from './context.ts';
import { invalid, noStack, noStackWithId, tokenUsed } from './errors.ts';
import type { Resource, Stack } from './stacks/registry.ts';

/** The stack that a request names. @throws AwsError where there is none, in the words of operations on stacks */
export function stackNamed(name: string, { state }: CloudformationContext): Stack {
  const stack = state.find(name);
  if (!stack) throw noStackWithId(name);
  return stack;
}

/** The stack that a request names. @throws AwsError where there is none, in the words of operations on what it consists of */
export function stackOf(name: string, { state }: CloudformationContext): Stack {
  const stack = state.find(name);
  if (!stack) throw noStack(name);
  return stack;
}

/** A resource of a stack that a request names. @throws AwsError `ValidationError` where there is none */
export function resourceNamed(stack: Stack, name: string, { state }: CloudformationContext): Resource {
  const resource = state.resource(stack.uuid, name);
  if (!resource) throw invalid(`Resource ${name} does not exist for stack ${stack.name}`);
  return resource;
}

/**
 * Whether a request was carried out before with the same client token.
 * @throws AwsError `TokenAlreadyExistsException` where another request had it
 */
export function isRepeated(stack: Stack | undefined, token: string | undefined, operation: string): boolean {
  const known = token === undefined ? undefined : stack?.tokens.find((used) => used.token === token);
  if (!known) return false;
  if (known.operation !== operation) throw tokenUsed(token!);
  return true;
}

/** Members of answers that are copies of what is kept. */
export const tagsOf = ({ tags }: { tags: Stack['tags'] }): Tag[] => tags.map(({ Key, Value }) => ({ Key, Value }));
/** Capabilities as an answer has them. */
export const capabilitiesOf = ({ capabilities }: { capabilities: Stack['capabilities'] }): Capability[] => [
  ...capabilities,
];
/** The rollback configuration as an answer has it. */
export const rollbackOf = ({
  rollbackConfiguration,
}: {
  rollbackConfiguration?: Stack['rollbackConfiguration'];
}): RollbackConfiguration =>
  rollbackConfiguration
    ? {
        ...(rollbackConfiguration.RollbackTriggers && {
          RollbackTriggers: rollbackConfiguration.RollbackTriggers.map((trigger) => ({ ...trigger })),
        }),
        ...(rollbackConfiguration.MonitoringTimeInMinutes !== undefined && {
          MonitoringTimeInMinutes: rollbackConfiguration.MonitoringTimeInMinutes,
        }),
      }
    : {};

/** Whether two lists have the same tags. */
export const sameTags = (one: readonly Tag[], other: readonly Tag[]): boolean =>
  one.length === other.length &&
  one.every(({ Key, Value }) => other.some((tag) => tag.Key === Key && tag.Value === Value));
