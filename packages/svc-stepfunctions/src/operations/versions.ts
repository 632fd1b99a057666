import { keyInPlace, stateInRegion } from '@emu/core/service';
import type { CreateStateMachineAliasInput, InputOf, OutputOf } from '@emu/service-types/stepfunctions';
import type { StepfunctionsContext } from '../context.ts';
import { conflict, invalid, invalidArn, resourceNotFound } from '../errors.ts';
import { type Alias, aliasOf, type Machine, machineOf, qualifiedArn, type Version } from '../lookup.ts';
import { paging } from '../paging.ts';
import { revisionOf } from '../records.ts';
import { machineType, qualifiedType } from '../resources.ts';
import type { StepfunctionsState } from '../state.ts';

/** Publishes the current state machine, unless its last version is equal. */
export function publish(state: StepfunctionsState, machine: Machine, description: string | undefined): Version {
  const [last] = state.versionsOf(machine.name);
  if (last && last.revisionId === machine.revisionId && last.number === machine.lastVersion) {
    if (description === undefined || description === last.description) return last;
  }
  const number = machine.lastVersion + 1;
  state.updateMachine(machine.name, (draft) => {
    draft.lastVersion = number;
  });
  const version = {
    machine: machine.name,
    number,
    ...revisionOf(machine),
    createdAt: state.clock.now(),
    ...(description !== undefined && { description }),
  };
  state.putVersion(version);
  return version;
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_PublishStateMachineVersion.html */
export function PublishStateMachineVersion(
  input: InputOf<'PublishStateMachineVersion'>,
  ctx: StepfunctionsContext,
): OutputOf<'PublishStateMachineVersion'> {
  const { state, machine } = machineOf(input.stateMachineArn, ctx);
  const { revisionId } = input;
  if (revisionId !== undefined && revisionId !== (machine.revisionId ?? 'INITIAL'))
    throw conflict(
      `Failed to publish the State Machine version for revision ${revisionId}. The current State Machine revision is ${machine.revisionId ?? 'INITIAL'}.`,
    );
  const version = publish(state, machine, input.description);
  return {
    creationDate: new Date(version.createdAt),
    stateMachineVersionArn: qualifiedArn(state, machine.name, version.number),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachineVersion.html */
export function DeleteStateMachineVersion(
  input: InputOf<'DeleteStateMachineVersion'>,
  ctx: StepfunctionsContext,
): OutputOf<'DeleteStateMachineVersion'> {
  const address = qualifiedType.parse(input.stateMachineVersionArn);
  if (!address) throw invalidArn(`Invalid ARN prefix: ${input.stateMachineVersionArn}`);
  const { machine, qualifier } = address.key;
  const state = stateInRegion(address.place, ctx);
  if (!state) return {};
  const using = state.aliasesOf(machine).filter(({ routes }) => routes.some(({ version }) => version === qualifier));
  if (using.length > 0)
    throw conflict(
      `Version to be deleted must not be referenced by an alias. Current list of aliases referencing this version: [${using.map(({ name }) => name).join(', ')}]`,
    );
  state.deleteVersion(machine, Number(qualifier));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachineVersions.html */
export function ListStateMachineVersions(
  input: InputOf<'ListStateMachineVersions'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListStateMachineVersions'> {
  const { state, machine } = machineOf(input.stateMachineArn, ctx);
  return paging
    .page(
      'ListStateMachineVersions',
      input,
      state.versionsOf(machine.name),
      ({ number }) => String(number).padStart(9, '0'),
      {
        descending: true,
      },
    )
    .list(({ number, createdAt }) => ({
      stateMachineVersionArn: qualifiedArn(state, machine.name, number),
      creationDate: new Date(createdAt),
    }));
}

type Routes = CreateStateMachineAliasInput['routingConfiguration'];

const listed = (values: readonly (string | number)[]): string => `[${values.join(', ')}]`;

/**
 * Returns the state machine and versions in a routing configuration.
 * @throws AwsError `ValidationException`, `ResourceNotFound`
 */
function routesOf(routes: Routes, ctx: StepfunctionsContext) {
  const arns = routes.map(({ stateMachineVersionArn: arn }) => arn);
  const addresses = arns.map((arn) => qualifiedType.parse(arn));
  if (addresses.some((address) => !address || !/^\d+$/.test(address.key.qualifier))) {
    if (!arns.every((arn) => qualifiedType.parse(arn) ?? machineType.parse(arn)))
      throw invalidArn(`Invalid ARN prefix: ${arns.find((arn) => !machineType.parse(arn))}`);
    throw invalid(`Routing configuration must contain state machine version ARNs. Received: ${listed(arns)}`);
  }
  if (new Set(arns).size < arns.length)
    throw invalid(`Routing configuration must contain distinct state machine version ARNs. Received: ${listed(arns)}`);
  const weights = routes.map(({ weight }) => weight);
  if (weights.reduce((sum, weight) => sum + weight, 0) !== 100)
    throw invalid(`Sum of routing configuration weights must equal 100. Received: ${listed(weights)}`);
  const keys = addresses.map((address) => address!.key);
  if (new Set(keys.map(({ machine }) => machine)).size > 1)
    throw invalid(`Routing configuration must contain versions of the same state machine. Received: ${listed(arns)}`);
  const isKnown = (arn: string): boolean => {
    const key = keyInPlace(qualifiedType, arn, ctx);
    return key !== undefined && ctx.state.version(key.machine, key.qualifier) !== undefined;
  };
  if (!arns.every(isKnown)) throw resourceNotFound();
  const [{ machine }] = keys as [(typeof keys)[number]];
  return { machine, routes: keys.map(({ qualifier }, index) => ({ version: qualifier, weight: weights[index]! })) };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateStateMachineAlias.html */
export function CreateStateMachineAlias(
  input: InputOf<'CreateStateMachineAlias'>,
  ctx: StepfunctionsContext,
): OutputOf<'CreateStateMachineAlias'> {
  const { state } = ctx;
  const { name, description } = input;
  const { machine, routes } = routesOf(input.routingConfiguration, ctx);
  const existing = state.alias(machine, name);
  if (existing && (JSON.stringify(existing.routes) !== JSON.stringify(routes) || existing.description !== description))
    throw conflict(
      'Failed to create alias because an alias with the same name and a different routing configuration already exists.',
    );
  const now = ctx.clock.now();
  const alias =
    existing ??
    state.putAlias({
      machine,
      name,
      routes,
      createdAt: now,
      updatedAt: now,
      ...(description !== undefined && { description }),
    });
  return {
    stateMachineAliasArn: qualifiedArn(state, machine, name),
    creationDate: new Date(alias.createdAt),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateStateMachineAlias.html */
export function UpdateStateMachineAlias(
  input: InputOf<'UpdateStateMachineAlias'>,
  ctx: StepfunctionsContext,
): OutputOf<'UpdateStateMachineAlias'> {
  const { state, alias } = aliasOf(input.stateMachineAliasArn, ctx);
  if (input.description === undefined && !input.routingConfiguration)
    throw invalid('You must specify at least one of the description or routingConfiguration parameters');
  const routed = input.routingConfiguration && routesOf(input.routingConfiguration, ctx);
  if (routed && routed.machine !== alias.machine)
    throw invalid(
      `Routing configuration must contain versions of the state machine of the alias. Received: ${listed(
        input.routingConfiguration!.map(({ stateMachineVersionArn }) => stateMachineVersionArn),
      )}`,
    );
  const routes = routed?.routes ?? alias.routes;
  const description = input.description ?? alias.description;
  const updatedAt = ctx.clock.now();
  state.putAlias({
    machine: alias.machine,
    name: alias.name,
    createdAt: alias.createdAt,
    updatedAt,
    routes: routes.map((route) => ({ ...route })),
    ...(description !== undefined && { description }),
  });
  return { updateDate: new Date(updatedAt) };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeStateMachineAlias.html */
export function DescribeStateMachineAlias(
  input: InputOf<'DescribeStateMachineAlias'>,
  ctx: StepfunctionsContext,
): OutputOf<'DescribeStateMachineAlias'> {
  const { state, alias } = aliasOf(input.stateMachineAliasArn, ctx);
  return {
    stateMachineAliasArn: qualifiedArn(state, alias.machine, alias.name),
    name: alias.name,
    ...(alias.description !== undefined && { description: alias.description }),
    routingConfiguration: alias.routes.map(({ version, weight }) => ({
      stateMachineVersionArn: qualifiedArn(state, alias.machine, version),
      weight,
    })),
    creationDate: new Date(alias.createdAt),
    updateDate: new Date(alias.updatedAt),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteStateMachineAlias.html */
export function DeleteStateMachineAlias(
  input: InputOf<'DeleteStateMachineAlias'>,
  ctx: StepfunctionsContext,
): OutputOf<'DeleteStateMachineAlias'> {
  const { state, alias } = aliasOf(input.stateMachineAliasArn, ctx);
  state.deleteAlias(alias.machine, alias.name);
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListStateMachineAliases.html */
export function ListStateMachineAliases(
  input: InputOf<'ListStateMachineAliases'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListStateMachineAliases'> {
  const address = qualifiedType.parse(input.stateMachineArn);
  const arn = address ? machineType.arn({ name: address.key.machine }, address.place) : input.stateMachineArn;
  const { state, machine } = machineOf(arn, ctx);
  const routed = ({ routes }: Alias): boolean =>
    !address || routes.some(({ version }) => version === address.key.qualifier);
  const aliases = state.aliasesOf(machine.name).filter(routed);
  return paging
    .page('ListStateMachineAliases', input, aliases, ({ name }) => name)
    .list(({ name, createdAt }) => ({
      stateMachineAliasArn: qualifiedArn(state, machine.name, name),
      creationDate: new Date(createdAt),
    }));
}
