import { servicePrincipalName } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { location, PLAIN } from './code.ts';
import { eventProblem, resourceProblem } from './errors.ts';
import { checkEventProperties, isEventType } from './events/properties.ts';
import { patternRule, type RuleTarget, ruleTarget, schedule, scheduleRule } from './events/rules.ts';
import { roleProperties, trust } from './role.ts';
import type { Event } from './targets.ts';
import type { Translation } from './translation.ts';
import { getAtt, inheritedAttributes, isIntrinsic, type Obj, type Resource, ref, samTags } from './values.ts';

const CREATED_BY = 'stateMachine:createdBy';

/** Returns the tag that marks SAM as creator, replaced by propagated tags. */
const createdBy = ({ PropagateTags, Tags }: Obj): string | undefined =>
  PropagateTags === true && isObject(Tags) ? undefined : CREATED_BY;

/**
 * Translates a state machine with its role, alias and events.
 * @throws SamProblem
 */
export function translateStateMachine(id: string, resource: Resource, to: Translation): void {
  const properties = resource.Properties ?? {};
  const { Definition, DefinitionUri, Role, Tags } = properties;
  const attributes = inheritedAttributes(resource);
  const machine: Obj = {
    StateMachineName: properties.Name,
    StateMachineType: properties.Type,
    LoggingConfiguration: properties.Logging,
    TracingConfiguration: properties.Tracing,
    Tags: samTags(Tags, createdBy(properties)),
    ...definitionOf(id, Definition, DefinitionUri, properties.DefinitionSubstitutions, to),
    RoleArn: Role ?? getAtt(`${id}Role`, 'Arn'),
  };
  if (Role === undefined) addRole(id, properties, attributes, to);
  const aliasId = publish(id, properties, attributes, to);
  const propagated = properties.PropagateTags === true && isObject(Tags) ? Tags : undefined;
  const byAlias = aliasId !== undefined && properties.UseAliasAsEventTarget === true;
  addEvents(
    properties.Events,
    { id, attributes, propagated, arn: ref(byAlias ? aliasId : id), boundary: properties.PermissionsBoundary },
    to,
  );
  const { Type: _, Properties: __, Connectors: ___, Condition: ____, ...kept } = resource;
  to.add(id, 'AWS::StepFunctions::StateMachine', machine, { ...attributes, ...kept });
}

function definitionOf(id: string, definition: unknown, uri: unknown, substitutions: unknown, to: Translation): Obj {
  if (definition !== undefined && uri !== undefined)
    throw resourceProblem(id, "Specify either 'Definition' or 'DefinitionUri' property and not both.");
  if (uri !== undefined)
    return {
      DefinitionS3Location: isIntrinsic(uri) ? uri : location(id, 'DefinitionUri', to.resolver.resolve(uri), PLAIN),
      DefinitionSubstitutions: substitutions,
    };
  if (definition === undefined)
    throw resourceProblem(id, "Either 'Definition' or 'DefinitionUri' property must be specified.");
  if (!isObject(definition)) throw resourceProblem(id, "Property 'Definition' should be a map.");
  const found: Obj = {};
  const plain = withoutIntrinsics(definition, found);
  const lines = pythonJson(plain, '').split('\n');
  const all = { ...(isObject(substitutions) ? substitutions : {}), ...found };
  return {
    DefinitionString: { 'Fn::Join': ['\n', lines] },
    DefinitionSubstitutions: Object.keys(all).length ? all : undefined,
  };
}

/** Replaces intrinsic functions by substitution names. */
function withoutIntrinsics(value: unknown, found: Obj): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutIntrinsics(entry, found));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => {
        if (!isIntrinsic(inner)) return [name, withoutIntrinsics(inner, found)];
        const substitution = `definition_substitution_${Object.keys(found).length + 1}`;
        found[substitution] = inner;
        return [name, `\${${substitution}}`];
      }),
  );
}

/** Returns the JSON with sorted keys and four spaces of indentation. */
function pythonJson(value: unknown, indent: string): string {
  const deeper = `${indent}    `;
  if (Array.isArray(value))
    return value.length
      ? `[\n${value.map((entry) => deeper + pythonJson(entry, deeper)).join(',\n')}\n${indent}]`
      : '[]';
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  if (!names.length) return '{}';
  const members = names.map((name) => `${deeper}${JSON.stringify(name)}: ${pythonJson(value[name], deeper)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function addRole(id: string, properties: Obj, attributes: Obj, to: Translation): void {
  const { Policies, Tracing, RolePath, PermissionsBoundary, Tags } = properties;
  const roleId = `${id}Role`;
  const traced = isObject(Tracing) && Tracing.Enabled === true;
  const role = roleProperties(
    roleId,
    id,
    {
      service: servicePrincipalName('states'),
      managed: traced ? [to.tracing] : [],
      inline: [],
      policies: Policies,
      tags: samTags(Tags, createdBy(properties)),
      path: RolePath,
      boundary: PermissionsBoundary,
    },
    to,
  );
  to.add(roleId, 'AWS::IAM::Role', { ManagedPolicyArns: [], ...role }, attributes);
}

/**
 * Publishes versions and an alias that moves to them.
 * @returns the alias's id
 */
function publish(id: string, properties: Obj, attributes: Obj, to: Translation): string | undefined {
  const { AutoPublishAlias: alias, DeploymentPreference: preference } = properties;
  if (alias === undefined) {
    if (preference !== undefined)
      throw resourceProblem(id, "'DeploymentPreference' requires 'AutoPublishAlias' property to be specified.");
    return undefined;
  }
  if (typeof alias !== 'string') throw resourceProblem(id, "Property 'AutoPublishAlias' should be a string.");
  const versionId = `${id}Version`;
  const aliasId = `${id}Alias${alias}`;
  to.add(
    versionId,
    'AWS::StepFunctions::StateMachineVersion',
    { StateMachineArn: ref(id), StateMachineRevisionId: getAtt(id, 'StateMachineRevisionId') },
    { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain', ...attributes },
  );
  const DeploymentPreference = {
    Type: 'ALL_AT_ONCE',
    ...(isObject(preference) ? preference : {}),
    StateMachineVersionArn: ref(versionId),
  };
  to.add(aliasId, 'AWS::StepFunctions::StateMachineAlias', { Name: alias, DeploymentPreference }, attributes);
  to.references.add(id, 'Alias', aliasId);
  to.references.add(id, 'Version', versionId);
  return aliasId;
}

function addEvents(events: unknown, target: RuleTarget, to: Translation): void {
  if (!isObject(events)) return;
  for (const [name, given] of Object.entries(events)) {
    if (!isObject(given) || typeof given.Type !== 'string') throw eventProblem(name, 'Missing required property Type.');
    if (isEventType(given.Type))
      checkEventProperties(`${target.id}${name}`, given.Type, isObject(given.Properties) ? given.Properties : {});
    if (given.Type === 'Api') {
      // The API translates the route; the role that starts the state machine is created here.
      const roleId = `${target.id}${name}Role`;
      to.add(
        roleId,
        'AWS::IAM::Role',
        startRole(roleId, servicePrincipalName('apigateway'), target),
        target.attributes,
      );
      continue;
    }
    const properties = isObject(given.Properties) ? given.Properties : {};
    const event: Event = { id: `${target.id}${name}`, name, type: given.Type, properties };
    if (given.Type === 'ScheduleV2')
      schedule(event, target, { action: 'states:StartExecution', policy: 'StartExecutionPolicy' }, to);
    else if (given.Type === 'Schedule') scheduleRule(event, target, started(event, target, to), to);
    else if (given.Type === 'EventBridgeRule' || given.Type === 'CloudWatchEvent')
      patternRule(event, target, started(event, target, to), to);
    else throw eventProblem(name, `Invalid event type '${given.Type}'.`);
  }
}

/** Returns the rule target that starts the state machine, with its own role if none is given. */
function started(event: Event, target: RuleTarget, to: Translation): Obj {
  const roleId = `${event.id}Role`;
  const { RoleArn } = event.properties;
  const result = ruleTarget(event, target, 'StepFunctionsTarget', { RoleArn: RoleArn ?? getAtt(roleId, 'Arn') }, to);
  if (RoleArn === undefined)
    to.add(roleId, 'AWS::IAM::Role', startRole(roleId, servicePrincipalName('events'), target), target.attributes);
  return result;
}

/** Returns the role that may start a state machine. */
const startRole = (roleId: string, service: string, { arn, propagated, boundary }: RuleTarget): Obj => ({
  AssumeRolePolicyDocument: trust(service),
  Policies: [
    {
      PolicyName: `${roleId}StartExecutionPolicy`,
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: arn }] },
    },
  ],
  PermissionsBoundary: boundary,
  Tags: propagated && samTags(propagated),
});
