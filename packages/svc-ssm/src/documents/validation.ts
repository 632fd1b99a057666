import type { DocumentFormat, DocumentType, PlatformType } from '@emu/service-types/ssm';
import { asString, isObject } from '@emu/wire';
import { ssmError } from '../errors.ts';
import { checkAutoPolicy, checkManualPolicy } from './approval-policies.ts';
import { checkRunbook } from './automation-rules.ts';
import { checkCalendar } from './calendar.ts';
import { checkSize, type Json, type JsonObject, parseContent } from './content.ts';
import { invalidContent } from './errors.ts';
import { checkDeclarations, declaredParameters, describeParameters } from './parameters.ts';
import type { DocumentSummary } from './records.ts';
import { referencesIn } from './references.ts';

/**
 * Supported schema versions by document type.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-schemas-features.html
 */
const SCHEMA_VERSIONS: Partial<Readonly<Record<DocumentType, readonly string[]>>> = {
  Command: ['1.2', '2.0', '2.2'],
  Policy: ['2.0', '2.2'],
  Automation: ['0.3'],
  'Automation.ChangeTemplate': ['0.3'],
  ManualApprovalPolicy: ['0.3'],
  AutoApprovalPolicy: ['0.3'],
  Session: ['1.0'],
  Package: ['2.0'],
};

/** Types whose content may be other than an object. */
const FREE: ReadonlySet<DocumentType> = new Set(['ApplicationConfiguration']);

const PLATFORMS: readonly PlatformType[] = ['Windows', 'Linux', 'MacOS'];

/** Plugins of Command documents, each with its platforms. */
const PLUGINS: Readonly<Record<string, readonly PlatformType[]>> = {
  'aws:applications': ['Windows'],
  'aws:cloudWatch': ['Windows'],
  'aws:configureDocker': ['Windows', 'Linux'],
  'aws:configurePackage': PLATFORMS,
  'aws:domainJoin': ['Windows', 'Linux'],
  'aws:downloadContent': PLATFORMS,
  'aws:psModule': ['Windows'],
  'aws:refreshAssociation': PLATFORMS,
  'aws:runDockerAction': ['Windows', 'Linux'],
  'aws:runDocument': PLATFORMS,
  'aws:runPowerShellScript': PLATFORMS,
  'aws:runShellScript': ['Linux', 'MacOS'],
  'aws:softwareInventory': PLATFORMS,
  'aws:updateAgent': ['Windows'],
  'aws:updateSsmAgent': PLATFORMS,
};

const COMMAND_KEYS: ReadonlySet<string> = new Set([
  'schemaVersion',
  'description',
  'parameters',
  'variables',
  'mainSteps',
  'runtimeConfig',
  'files',
]);
const STEP_KEYS: ReadonlySet<string> = new Set([
  'action',
  'name',
  'inputs',
  'precondition',
  'settings',
  'timeoutSeconds',
  'maxAttempts',
  'onFailure',
  'onSuccess',
  'finallyStep',
]);
const SESSION_TYPES: ReadonlySet<string> = new Set([
  'Standard_Stream',
  'Port',
  'InteractiveCommands',
  'NonInteractiveCommands',
]);

/** Facts about validated content. */
export interface CheckedContent {
  readonly type: DocumentType;
  readonly summary: DocumentSummary;
}

const show = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Validates a document's content.
 * @param type undefined if the request names none
 * @throws AwsError `InvalidDocumentContent`, `InvalidDocumentSchemaVersion`, `MaxDocumentSizeExceeded`
 */
export function checkContent(text: string, format: DocumentFormat, type: DocumentType | undefined): CheckedContent {
  checkSize(text);
  if (type === 'ChangeCalendar') {
    if (format !== 'TEXT') throw invalidContent('The format of a document of type ChangeCalendar is TEXT.');
    checkCalendar(text);
    return { type, summary: { parameters: [], platformTypes: [] } };
  }
  if (format === 'TEXT') {
    if (type && FREE.has(type)) return { type, summary: { parameters: [], platformTypes: [] } };
    throw invalidContent(`The format TEXT is not supported for documents of type ${type ?? 'Command'}.`);
  }
  const content = parseContent(text, format);
  const schemaVersion = schemaVersionOf(content);
  const known = type ?? typeOf(schemaVersion);
  const versions = SCHEMA_VERSIONS[known];
  if (versions) {
    if (schemaVersion === undefined || !versions.includes(schemaVersion))
      throw invalidContent(`Document schema version is invalid. Value: ${schemaVersion ?? 'null'}`);
  }
  const { description } = content;
  const summary = (platformTypes: readonly PlatformType[]): DocumentSummary => ({
    ...(schemaVersion !== undefined && { schemaVersion }),
    ...(typeof description === 'string' && { description }),
    parameters: describeParameters(content),
    platformTypes: [...platformTypes],
  });
  switch (known) {
    case 'Command':
    case 'Policy':
      checkDeclarations(content);
      return { type: known, summary: summary(checkCommand(content, schemaVersion!)) };
    case 'Automation':
    case 'Automation.ChangeTemplate':
      checkDeclarations(content);
      if (known === 'Automation') checkRunbook(content);
      else if (!Array.isArray(content.mainSteps)) throw invalidContent('mainSteps needs at least one step.');
      return { type: known, summary: summary(PLATFORMS) };
    case 'Session':
      checkDeclarations(content);
      checkSession(content);
      return { type: known, summary: summary(PLATFORMS) };
    case 'ManualApprovalPolicy':
      checkManualPolicy(content);
      return { type: known, summary: summary(PLATFORMS) };
    case 'AutoApprovalPolicy':
      checkAutoPolicy(content);
      return { type: known, summary: summary(PLATFORMS) };
    case 'CloudFormation':
    case 'ConformancePackTemplate':
      checkMembers(content, ['schemaVersion', 'templateBody']);
      return { type: known, summary: summary([]) };
    case 'Package':
      return { type: known, summary: summary(packagePlatforms(content)) };
    default:
      return { type: known, summary: summary([]) };
  }
}

function schemaVersionOf({ schemaVersion }: JsonObject): string | undefined {
  if (typeof schemaVersion === 'number') return schemaVersion.toFixed(1);
  return asString(schemaVersion);
}

/** Returns the default document type for a schema version. */
function typeOf(schemaVersion: string | undefined): DocumentType {
  if (schemaVersion === '1.2') return 'Command';
  if (schemaVersion === undefined || !/^\d+\.\d+$/.test(schemaVersion))
    throw invalidContent(`Document schema version is invalid. Value: ${schemaVersion ?? 'null'}`);
  throw ssmError('InvalidDocumentSchemaVersion', `Document type is required for schema version ${schemaVersion}`);
}

/** Checks for missing and unknown members, with the messages of AWS's JSON schema validator. */
function checkMembers(content: JsonObject, required: readonly string[]): void {
  const missing = required.filter((name) => content[name] === undefined);
  if (missing.length > 0)
    throw invalidContent(
      `[message: "object has missing required properties (${JSON.stringify(missing).replaceAll('"', '\\"')})" - parent node: /]`,
    );
}

/**
 * Validates a Command or Policy document.
 * @returns its platforms
 */
function checkCommand(content: JsonObject, schemaVersion: string): readonly PlatformType[] {
  for (const key of Object.keys(content))
    if (!COMMAND_KEYS.has(key)) throw invalidContent(`Document content key "${key}" is not supported.`);
  const plugins = schemaVersion === '1.2' ? olderPlugins(content) : stepPlugins(content);
  const declared = declaredParameters(content);
  const { mainSteps = null, runtimeConfig = null } = content;
  for (const reference of referencesIn([mainSteps, runtimeConfig])) {
    const isOwn = /^[a-zA-Z0-9_-]+$/.test(reference) && reference !== 'platformType';
    if (isOwn && !Object.hasOwn(declared, reference)) throw invalidContent(`Parameter "${reference}" is not declared.`);
  }
  const platforms = new Set(plugins.flatMap((plugin) => PLUGINS[plugin]!));
  return PLATFORMS.filter((platform) => platforms.has(platform));
}

function checkPlugin(plugin: Json | undefined): string {
  if (typeof plugin !== 'string' || !Object.hasOwn(PLUGINS, plugin))
    throw invalidContent(`Plugin "${show(plugin)}" is not supported.`);
  return plugin;
}

function olderPlugins({ runtimeConfig }: JsonObject): string[] {
  if (!isObject(runtimeConfig) || Object.keys(runtimeConfig).length === 0)
    throw invalidContent('A document of schema version 1.2 needs runtimeConfig.');
  return Object.keys(runtimeConfig).map(checkPlugin);
}

function stepPlugins({ mainSteps }: JsonObject): string[] {
  if (!Array.isArray(mainSteps) || mainSteps.length === 0) throw invalidContent('mainSteps needs at least one step.');
  const names = new Set<string>();
  return mainSteps.map((step) => {
    if (!isObject(step)) throw invalidContent('A step of mainSteps is not an object.');
    const { name, inputs } = step;
    for (const key of Object.keys(step))
      if (!STEP_KEYS.has(key)) throw invalidContent(`Step "${show(name)}" has an unsupported key: ${key}.`);
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      throw invalidContent(`Step name "${show(name)}" is not valid.`);
    if (names.has(name)) throw invalidContent(`Step name "${name}" is not unique.`);
    names.add(name);
    if (inputs !== undefined && !isObject(inputs))
      throw invalidContent(`The inputs of step "${name}" are not an object.`);
    return checkPlugin(step.action);
  });
}

function checkSession({ sessionType, inputs, properties }: JsonObject): void {
  if (typeof sessionType !== 'string' || !SESSION_TYPES.has(sessionType))
    throw invalidContent(`The sessionType of a document is not valid: ${show(sessionType)}.`);
  if (sessionType === 'Standard_Stream' ? !isObject(inputs) : !isObject(properties))
    throw invalidContent(
      `A document of session type ${sessionType} needs ${sessionType === 'Standard_Stream' ? 'inputs' : 'properties'}.`,
    );
}

/** Returns the platforms in the manifest of a package. */
function packagePlatforms(content: JsonObject): readonly PlatformType[] {
  if (!isObject(content.packages)) throw invalidContent('The manifest of a package needs packages.');
  const names = Object.keys(content.packages).map((name) => name.toLowerCase());
  return PLATFORMS.filter((platform) =>
    names.some((name) =>
      platform === 'Windows'
        ? name === 'windows'
        : platform === 'MacOS'
          ? name === 'macos'
          : name !== 'windows' && name !== 'macos',
    ),
  );
}
