import type { DeepReadonly } from '@emu/core/service';
import type { GroupConfigurationItem } from '@emu/service-types/resourcegroups';
import type { AwsError } from '@emu/wire';
import { badRequest } from './errors.ts';
import type { Group } from './state.ts';

export const APPLICATION = 'AWS::ResourceGroups::ApplicationGroup';
const GENERIC = 'AWS::ResourceGroups::Generic';

const BOOLEAN = /^(?:true|false)$/;

/**
 * Allowed parameter values of a type. The members of an application and EC2's treatment of hosts depend on the type.
 * @see https://docs.aws.amazon.com/ARG/latest/userguide/about-slg-types.html
 */
const TYPES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  [GENERIC]: {
    'allowed-resource-types': /^AWS::EC2::(?:Host|CapacityReservation)$/,
    'deletion-protection': /^UNLESS_EMPTY$/,
  },
  [APPLICATION]: {},
  'AWS::EC2::CapacityReservationPool': {},
  'AWS::EC2::HostManagement': {
    'allowed-host-based-license-configurations': /^arn:/,
    'allowed-host-families': /^[a-z0-9-]+$/,
    'any-host-based-license-configuration': BOOLEAN,
    'auto-allocate-host': BOOLEAN,
    'auto-host-recovery': BOOLEAN,
    'auto-release-host': BOOLEAN,
  },
};

/** Resource types that `AWS::ResourceGroups::Generic` must allow for a type. */
const NEEDED: Readonly<Record<string, string>> = {
  'AWS::EC2::CapacityReservationPool': 'AWS::EC2::CapacityReservation',
  'AWS::EC2::HostManagement': 'AWS::EC2::Host',
};

/** Configuration types of groups. */
export const isConfigurationType = (type: string): boolean => Object.hasOwn(TYPES, type);

const invalid = (problem: string): AwsError => badRequest(`Configuration not valid: ${problem}`);

/** @throws AwsError `BadRequestException` for an invalid configuration */
export function checkConfiguration(items: readonly GroupConfigurationItem[]): void {
  const types = new Set<string>();
  for (const item of items) {
    if (types.has(item.Type)) throw invalid(`The type ${item.Type} is there more than once.`);
    types.add(item.Type);
    checkItem(item);
  }
  for (const [type, allowed] of Object.entries(NEEDED))
    if (types.has(type) && !parameter(items, GENERIC, 'allowed-resource-types').includes(allowed))
      throw invalid(`${type} requires ${GENERIC} with the allowed-resource-types ${allowed}.`);
}

function checkItem({ Type, Parameters = [] }: GroupConfigurationItem): void {
  if (!isConfigurationType(Type)) throw invalid(`The type ${Type} is not supported.`);
  for (const { Name, Values = [] } of Parameters) {
    const pattern = TYPES[Type]![Name];
    if (!pattern) throw invalid(`The type ${Type} has no parameter ${Name}.`);
    const wrong = Values.find((value) => !pattern.test(value));
    if (wrong !== undefined) throw invalid(`The value ${wrong} of the parameter ${Name} is not valid.`);
  }
}

function parameter(items: DeepReadonly<GroupConfigurationItem[]>, type: string, name: string): readonly string[] {
  const item = items.find(({ Type }) => Type === type);
  return item?.Parameters?.find(({ Name }) => Name === name)?.Values ?? [];
}

/** Whether a group is that of an application, whose members are tagged. */
export const isApplication = ({ configuration = [] }: Group): boolean =>
  configuration.some(({ Type }) => Type === APPLICATION);

/** Whether a group with members cannot be deleted. */
export const isProtected = ({ configuration = [] }: Group): boolean =>
  parameter(configuration, GENERIC, 'deletion-protection').includes('UNLESS_EMPTY');
