import { defineResource, type Place, tagCallsBy, taggedRecord } from '@emu/core/service';
import { associationType } from './associations/resources.ts';
import { readDocumentName } from './documents/names.ts';
import { opsItemType, opsMetadataType } from './ops/resources.ts';
import { keyOfName, readSelection } from './parameters/names.ts';
import { baselineType } from './patches/resources.ts';
import type { ParameterRegistry } from './registry.ts';
import { tagging } from './tags.ts';
import { windowType } from './windows/resources.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Parameters, identified by name or ARN, with or without version.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export const parameterType = defineResource({
  name: 'parameter',
  service: 'ssm',
  scope: 'region',
  format: 'parameter/{name+}',
  cloudFormation: 'AWS::SSM::Parameter',
  identify(input: Input, place: Place, operation) {
    const given =
      input.ResourceArn ?? (input.ResourceType === 'Parameter' ? input.ResourceId : (input.Name ?? input.Path));
    if (typeof given !== 'string' || !/Parameter|Resource/.test(operation)) return undefined;
    const { key, accountId, region } = readSelection(given);
    if (key.includes(':')) return undefined;
    // PutParameter writes in the account and region of the request, whatever the ARN contains.
    return {
      key: { name: key.replace(/^\//, '') },
      place: operation === 'PutParameter' ? place : { accountId, region },
    };
  },
  find: (state: ParameterRegistry, { name }) => (state.parameters.get(nameIn(name)) ? { name } : undefined),
  list: (state) => [...state.parameters.all()].map(({ name }) => ({ name: name.replace(/^\//, '') })),
  tagged: { tagging, find: ({ parameters }, { name }) => taggedRecord(parameters, nameIn(name)) },
  policy: (state, { name }) => state.policyOf(nameIn(name)),
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ name }: { name: string }) => ({
    ResourceType: 'Parameter',
    ResourceId: nameIn(name),
  })),
});

/** Returns the storage key of the parameter in an ARN. */
const nameIn = (resource: string): string => keyOfName(resource.includes('/') ? `/${resource}` : resource);

/** Members that name a document in requests. */
const DOCUMENT_MEMBERS = ['Name', 'DocumentName'] as const;

/**
 * Documents, identified by name or ARN.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssystemsmanager.html
 */
export const documentType = defineResource({
  name: 'document',
  service: 'ssm',
  scope: 'region',
  format: 'document/{name}',
  cloudFormation: 'AWS::SSM::Document',
  identify(input: Input, _place, operation) {
    const given =
      input.ResourceType === 'Document'
        ? input.ResourceId
        : /Document/.test(operation)
          ? DOCUMENT_MEMBERS.map((member) => input[member]).find((value) => value !== undefined)
          : undefined;
    if (typeof given !== 'string') return undefined;
    const { name, accountId, region } = readDocumentName(given);
    return { key: { name }, place: { accountId, region } };
  },
  find: (state: ParameterRegistry, { name }) => (state.documents.get(name) ? { name } : undefined),
  list: (state) => [...state.documents.all()].map(({ name }) => ({ name })),
  tagged: { tagging, find: ({ documents }, { name }) => taggedRecord(documents, name) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ name }: { name: string }) => ({
    ResourceType: 'Document',
    ResourceId: name,
  })),
});

/** Executions of runbooks. */
export const automationType = defineResource({
  name: 'automation-execution',
  service: 'ssm',
  scope: 'region',
  format: 'automation-execution/{id}',
  identify(input: Input, place: Place) {
    const id = input.ResourceType === 'Automation' ? input.ResourceId : input.AutomationExecutionId;
    return typeof id === 'string' ? { key: { id }, place } : undefined;
  },
  find: (state: ParameterRegistry, { id }) => (state.automations.get(id) ? { id } : undefined),
  list: (state) => [...state.automations.all()].map(({ id }) => ({ id })),
  tagged: { tagging, find: ({ automations }, { id }) => taggedRecord(automations, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'Automation',
    ResourceId: id,
  })),
});

/** Runbook versions, for permissions to run them. */
export const definitionType = defineResource({
  name: 'automation-definition',
  service: 'ssm',
  scope: 'region',
  format: 'automation-definition/{name}:{version}',
  identify(input: Input, _place, operation) {
    if (!/^Start(?:Automation|ChangeRequest)Execution$/.test(operation) || typeof input.DocumentName !== 'string')
      return undefined;
    const { name, accountId, region } = readDocumentName(input.DocumentName);
    const version = typeof input.DocumentVersion === 'string' ? input.DocumentVersion : '$DEFAULT';
    return { key: { name, version }, place: { accountId, region } };
  },
});

/** Machines registered with an activation. */
export const instanceType = defineResource({
  name: 'managed-instance',
  service: 'ssm',
  scope: 'region',
  format: 'managed-instance/{id}',
  identify(input: Input, place: Place, operation) {
    const id =
      input.ResourceType === 'ManagedInstance'
        ? input.ResourceId
        : /^(?:Deregister|Update)ManagedInstance/.test(operation)
          ? input.InstanceId
          : undefined;
    return typeof id === 'string' ? { key: { id }, place } : undefined;
  },
  records: (state: ParameterRegistry) => state.nodes.instances,
  tagged: { tagging, find: ({ nodes }, { id }) => taggedRecord(nodes.instances, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'ManagedInstance',
    ResourceId: id,
  })),
});

/** Sessions on managed nodes. */
const sessionType = defineResource({
  name: 'session',
  service: 'ssm',
  scope: 'region',
  format: 'session/{id}',
  identify(input: Input, place: Place) {
    return typeof input.SessionId === 'string' ? { key: { id: input.SessionId }, place } : undefined;
  },
  find: (state: ParameterRegistry, { id }) => (state.sessions.get(id) ? { id } : undefined),
  list: (state) => [...state.sessions.all()].map(({ id }) => ({ id })),
});

/** Service settings, whose ids begin with the slash before `{id}`. */
export const settingType = defineResource({
  name: 'servicesetting',
  service: 'ssm',
  scope: 'region',
  format: 'servicesetting/{id+}',
});

/** Resource data syncs, for permissions. */
export const syncType = defineResource({
  name: 'resourcedatasync',
  service: 'ssm',
  scope: 'region',
  format: 'resource-data-sync/{name}',
});

/** All resource types, most specific first. */
export const resources = [
  parameterType,
  documentType,
  baselineType,
  opsItemType,
  opsMetadataType,
  windowType,
  associationType,
  automationType,
  definitionType,
  instanceType,
  sessionType,
] as const;
