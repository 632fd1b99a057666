import type { Collection } from '@emu/core/service';
import type { MacroRecord } from '../stacks/records.ts';
import { ANY_PROPERTY, ANYTHING, type OwnProvider } from './own.ts';

/** CDK's metadata of an application. As in AWS, it creates no resource. */
export const cdkMetadata: OwnProvider = {
  typeName: 'AWS::CDK::Metadata',
  facts: ANYTHING,
  handles: [ANY_PROPERTY],
  create: async (_properties, ctx) => ({ identifier: ctx.name() }),
  read: async () => undefined,
  update: async () => undefined,
  delete: async () => undefined,
};

/**
 * Returns the placeholder for an unsupported type, if the setting allows it.
 * @param warn called for each placeholder
 */
export function placeholder(typeName: string, warn: (message: string) => void): OwnProvider {
  return {
    typeName,
    facts: ANYTHING,
    handles: [ANY_PROPERTY],
    async create(_properties, ctx) {
      warn(`${typeName} is not supported by emu: nothing was made for ${ctx.stack?.logicalId ?? ''}`);
      const identifier = ctx.name();
      return { identifier, attributes: { [ANY_PROPERTY]: identifier } };
    },
    read: async () => undefined,
    update: async () => undefined,
    delete: async () => undefined,
  };
}

/**
 * Macros.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-macro.html
 */
export function macro(macros: Collection<MacroRecord>): OwnProvider {
  return {
    typeName: 'AWS::CloudFormation::Macro',
    facts: {
      primaryIdentifier: ['Name'],
      attributes: {},
      name: { property: 'Name' },
      properties: {
        Name: { type: 'string', required: true, replacement: 'yes' },
        FunctionName: { type: 'string', required: true },
        Description: { type: 'string' },
      },
    },
    handles: ['Name', 'FunctionName', 'Description'],
    async create(properties) {
      const { Name, FunctionName } = properties as { Name: string; FunctionName: string };
      if (macros.has(Name)) throw new Error(`${Name} already exists`);
      macros.put(Name, { functionName: FunctionName });
      return { identifier: Name };
    },
    async read(Name) {
      const known = macros.get(Name);
      return known && { properties: { Name, FunctionName: known.functionName }, attributes: {} };
    },
    async update(Name, _previous, desired) {
      macros.put(Name, { functionName: String(desired.FunctionName) });
    },
    async delete(Name) {
      macros.delete(Name);
    },
    list: async () => [...macros.keys()],
  };
}
