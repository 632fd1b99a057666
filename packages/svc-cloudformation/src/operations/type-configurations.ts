import type {
  BatchDescribeTypeConfigurationsOutput,
  InputOf,
  OutputOf,
  TypeConfigurationDetails,
  TypeConfigurationIdentifier,
} from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { cloudformationError } from '../errors.ts';
import { registryError } from '../registry/errors.ts';
import { hookConfiguration } from '../registry/hook-configuration.ts';
import type { ActivatedType } from '../registry/registry.ts';
import { activatedNamed } from './activation.ts';

/** Error codes of the batch response have three characters. */
const NOT_FOUND = '404';
/** Configuration of an extension without one; a hook with this configuration is not invoked. */
const NO_CONFIGURATION = '{}';
/** Default alias of a configuration; hooks have no other. */
const DEFAULT_ALIAS = 'default';

/**
 * Configures an activated extension. For a hook: its targets, its function and its failure mode.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_SetTypeConfiguration.html
 */
export function SetTypeConfiguration(
  input: InputOf<'SetTypeConfiguration'>,
  ctx: CloudformationContext,
): OutputOf<'SetTypeConfiguration'> {
  const { registry } = ctx.state;
  const { Configuration, ConfigurationAlias = DEFAULT_ALIAS } = input;
  const type = activatedNamed({ Arn: input.TypeArn, TypeName: input.TypeName, Type: input.Type }, ctx);
  if (type.kind === 'MODULE') throw registryError(`The module ${type.name} has no configuration.`);
  const isEmpty = Configuration.trim() === NO_CONFIGURATION;
  if (!isEmpty) hookConfiguration(Configuration);
  if (ConfigurationAlias !== DEFAULT_ALIAS)
    throw registryError('The configuration of a hook has no other alias than default.');
  const changed = registry.update(type.name, (draft) => {
    if (isEmpty) delete draft.configuration;
    else draft.configuration = Configuration;
    draft.configurationAlias = ConfigurationAlias;
    draft.configurationVersion++;
    draft.configuredAt = ctx.clock.now();
  });
  return { ConfigurationArn: registry.configurationArn(changed) };
}

const noConfiguration = (): AwsError =>
  cloudformationError('TypeConfigurationNotFoundException', 'The specified configuration cannot be found.');

/**
 * Returns the extension of a configuration.
 * @throws AwsError `TypeConfigurationNotFoundException`
 */
function configured(identifier: TypeConfigurationIdentifier, ctx: CloudformationContext): ActivatedType {
  const { TypeArn, TypeConfigurationArn, TypeConfigurationAlias, TypeName, Type } = identifier;
  const { registry } = ctx.state;
  if (TypeConfigurationAlias !== undefined && TypeConfigurationAlias !== DEFAULT_ALIAS) throw noConfiguration();
  if (TypeConfigurationArn === undefined) return activatedNamed({ Arn: TypeArn, TypeName, Type }, ctx);
  const found = registry.all().find((type) => registry.configurationArn(type) === TypeConfigurationArn);
  if (!found) throw noConfiguration();
  return found;
}

/**
 * Describes configurations of extensions; missing ones are returned as unprocessed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_BatchDescribeTypeConfigurations.html
 */
export function BatchDescribeTypeConfigurations(
  { TypeConfigurationIdentifiers }: InputOf<'BatchDescribeTypeConfigurations'>,
  ctx: CloudformationContext,
): OutputOf<'BatchDescribeTypeConfigurations'> {
  const { registry } = ctx.state;
  const TypeConfigurations: TypeConfigurationDetails[] = [];
  const Errors: NonNullable<BatchDescribeTypeConfigurationsOutput['Errors']> = [];
  for (const identifier of TypeConfigurationIdentifiers)
    try {
      const type = configured(identifier, ctx);
      const { name, configuration = NO_CONFIGURATION, configurationAlias = DEFAULT_ALIAS, configuredAt } = type;
      TypeConfigurations.push({
        Arn: registry.configurationArn(type),
        Alias: configurationAlias,
        Configuration: configuration,
        ...(configuredAt !== undefined && { LastUpdated: new Date(configuredAt) }),
        TypeArn: registry.arn(type),
        TypeName: name,
        IsDefaultConfiguration: true,
      });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Errors.push({
        ErrorCode: NOT_FOUND,
        ErrorMessage: error.message,
        TypeConfigurationIdentifier: { ...identifier },
      });
    }
  return { Errors, UnprocessedTypeConfigurations: [], TypeConfigurations };
}
