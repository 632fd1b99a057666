import { numericKey } from '@emu/core/service';
import type { CommandFilter, InputOf, ListCommandsRequest, OutputOf } from '@emu/service-types/ssm';
import { type Command, isOver } from '../commands/commands.ts';
import { describeCommand, describeInvocation, describeResult } from '../commands/describe.ts';
import { makeCommand } from '../commands/sending.ts';
import type { SsmContext } from '../context.ts';
import { invalid, ssmError } from '../errors.ts';
import { paging } from '../paging.ts';

/**
 * Returns a command of the request's account.
 * @throws AwsError `InvalidCommandId`
 */
function commandOf(id: string, ctx: SsmContext): Command {
  const command = ctx.state.commands.get(id);
  if (!command) throw ssmError('InvalidCommandId', '');
  return command;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_SendCommand.html */
export async function SendCommand(input: InputOf<'SendCommand'>, ctx: SsmContext): Promise<OutputOf<'SendCommand'>> {
  const record = await makeCommand(input, ctx);
  return { Command: describeCommand(ctx.state.commands.send(record)) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CancelCommand.html */
export function CancelCommand(input: InputOf<'CancelCommand'>, ctx: SsmContext): OutputOf<'CancelCommand'> {
  const { id, invocations } = commandOf(input.CommandId, ctx);
  const { InstanceIds = [] } = input;
  if (new Set(InstanceIds).size < InstanceIds.length)
    throw ssmError('DuplicateInstanceId', 'An instance id is specified more than once.');
  const unknown = InstanceIds.filter((one) => !invocations.some(({ instanceId }) => instanceId === one));
  if (unknown.length > 0) throw ssmError('InvalidInstanceId', `The command was not sent to ${unknown.join(', ')}.`);
  ctx.state.commands.cancel(id, InstanceIds);
  return {};
}

/**
 * Parses the time in a filter.
 * @throws AwsError `ValidationException`
 */
function filterTime(value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalid(`The filter value ${value} is not a timestamp.`);
  return time;
}

/** Fields that filters compare, of a command or an invocation. */
interface Filtered {
  readonly command: Command;
  readonly status: string;
  readonly statusDetails: string;
}

function testOf({ key, value }: CommandFilter): (one: Filtered) => boolean {
  switch (key) {
    case 'InvokedAfter': {
      const time = filterTime(value);
      return ({ command }) => command.requestedAt >= time;
    }
    case 'InvokedBefore': {
      const time = filterTime(value);
      return ({ command }) => command.requestedAt < time;
    }
    case 'Status':
      return ({ status, statusDetails }) => status === value || statusDetails === value;
    case 'DocumentName':
      return ({ command }) => command.documentName === value;
    default:
      return ({ command }) => isOver(command) === (value === 'Complete');
  }
}

/** Returns the commands that match a request, newest first. */
function selected(
  { CommandId, InstanceId }: ListCommandsRequest,
  ctx: SsmContext,
): { command: Command; order: number }[] {
  const all = CommandId === undefined ? [...ctx.state.commands.all()] : [commandOf(CommandId, ctx)];
  return all
    .map((command, order) => ({ command, order }))
    .filter(
      ({ command }) =>
        InstanceId === undefined || command.invocations.some(({ instanceId }) => instanceId === InstanceId),
    )
    .reverse();
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListCommands.html */
export function ListCommands(input: InputOf<'ListCommands'>, ctx: SsmContext): OutputOf<'ListCommands'> {
  const tests = (input.Filters ?? []).map(testOf);
  const found = selected(input, ctx).filter(({ command }) => {
    const { status, statusDetails } = command;
    return tests.every((test) => test({ command, status, statusDetails }));
  });
  return paging
    .page('ListCommands', input, found, ({ order }) => numericKey(order), { descending: true })
    .list(({ command }) => describeCommand(command));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListCommandInvocations.html */
export function ListCommandInvocations(
  input: InputOf<'ListCommandInvocations'>,
  ctx: SsmContext,
): OutputOf<'ListCommandInvocations'> {
  const { InstanceId, Details = false } = input;
  if (input.Filters?.some(({ key }) => key === 'ExecutionStage'))
    throw ssmError('InvalidFilterKey', 'The filter key ExecutionStage is valid for ListCommands only.');
  const tests = (input.Filters ?? []).map(testOf);
  const found = selected(input, ctx).flatMap(({ command, order }) =>
    command.invocations
      .map((invocation, index) => ({
        command,
        invocation,
        key: `${numericKey(order)}/${numericKey(1_000_000 - index)}`,
      }))
      .filter(
        ({ invocation: { instanceId, status, statusDetails } }) =>
          (InstanceId === undefined || instanceId === InstanceId) &&
          tests.every((test) => test({ command, status, statusDetails })),
      ),
  );
  return paging
    .page('ListCommandInvocations', input, found, ({ key }) => key, { descending: true })
    .list(({ command, invocation }) => describeInvocation(command, invocation, Details, ctx.region));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetCommandInvocation.html */
export function GetCommandInvocation(
  input: InputOf<'GetCommandInvocation'>,
  ctx: SsmContext,
): OutputOf<'GetCommandInvocation'> {
  const command = ctx.state.commands.get(input.CommandId);
  const invocation = command?.invocations.find(({ instanceId }) => instanceId === input.InstanceId);
  if (!command || !invocation) throw ssmError('InvocationDoesNotExist', '');
  const { PluginName } = input;
  const { plugins } = invocation;
  if (PluginName === undefined)
    return describeResult(
      command,
      invocation,
      plugins.length === 1 ? plugins[0] : undefined,
      plugins.length === 1 ? plugins[0]!.name : '',
      ctx.region,
    );
  const plugin = plugins.find(({ name, action }) => name === PluginName || action === PluginName);
  if (!plugin) throw ssmError('InvalidPluginName', '');
  return describeResult(command, invocation, plugin, plugin.name, ctx.region);
}
