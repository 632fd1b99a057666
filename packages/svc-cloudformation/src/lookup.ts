import type { Capability, RollbackConfiguration, Tag } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from './context.ts';
import { invalid, noStack, noStackWithId, tokenUsed } from './errors.ts';
import type { Resource, Stack } from './stacks/registry.ts';

/**
 * Returns the stack that a request names.
 * @throws AwsError with the message of operations on stacks if it is missing
 */
export function stackNamed(name: string, { state }: CloudformationContext): Stack {
  const stack = state.find(name);
  if (!stack) throw noStackWithId(name);
  return stack;
}

/**
 * Returns the stack that a request names.
 * @throws AwsError with the message of operations on the contents of stacks if it is missing
 */
export function stackOf(name: string, { state }: CloudformationContext): Stack {
  const stack = state.find(name);
  if (!stack) throw noStack(name);
  return stack;
}

/**
 * Returns the stack resource that a request names.
 * @throws AwsError `ValidationError` if it is missing
 */
export function resourceNamed(stack: Stack, name: string, { state }: CloudformationContext): Resource {
  const resource = state.resource(stack.uuid, name);
  if (!resource) throw invalid(`Resource ${name} does not exist for stack ${stack.name}`);
  return resource;
}

/**
 * Whether the same request with this client token was already processed.
 * @throws AwsError `TokenAlreadyExistsException` if a different request used the token
 */
export function isRepeated(stack: Stack | undefined, token: string | undefined, operation: string): boolean {
  // IdempotencyTokens are not used here: the stack's record contains its tokens, which are deleted with it, and a token
  // is compared with any operation's input.
  const known = token === undefined ? undefined : stack?.tokens.find((used) => used.token === token);
  if (!known) return false;
  if (known.operation !== operation) throw tokenUsed(token!);
  return true;
}

/** Returns the response members copied from the record. */
export const tagsOf = ({ tags }: { tags: Stack['tags'] }): Tag[] => tags.map(({ Key, Value }) => ({ Key, Value }));
/** Returns the capabilities as in responses. */
export const capabilitiesOf = ({ capabilities }: { capabilities: Stack['capabilities'] }): Capability[] => [
  ...capabilities,
];
/** Returns the rollback configuration as in responses. */
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
