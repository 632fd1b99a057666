import {
  ask,
  defined,
  defineProvider,
  lowerNames,
  run,
  type TaggedProperties,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { tagsOf } from './state-machine.ts';

interface ActivityProperties extends TaggedProperties {
  readonly EncryptionConfiguration?: object;
  readonly Name: string;
}

/**
 * Activities.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-activity.html
 */
export const activity: AnyResourceProvider = defineProvider<ActivityProperties>({
  typeName: 'AWS::StepFunctions::Activity',
  model,
  service: 'stepfunctions',
  handles: ['EncryptionConfiguration', 'Name', 'Tags'],
  key: ['activityArn'],
  gone: ['ActivityDoesNotExist'],

  async create({ EncryptionConfiguration, Name, Tags }, ctx) {
    const { activityArn } = await run(ctx, 'stepfunctions', 'CreateActivity', {
      encryptionConfiguration: EncryptionConfiguration && lowerNames(EncryptionConfiguration),
      name: Name,
      tags: tagsOf(Tags),
    });
    return { identifier: activityArn, attributes: { Arn: activityArn, Name } };
  },

  find: (key, ctx) => ask(ctx, 'stepfunctions', 'DescribeActivity', key),

  async describe({ encryptionConfiguration, name }, { activityArn }, ctx) {
    const { tags } = await ctx.call('stepfunctions', 'ListTagsForResource', { resourceArn: activityArn! });
    return {
      properties: defined({
        EncryptionConfiguration: encryptionConfiguration && upperNames(encryptionConfiguration),
        Name: name,
        Tags: unlessEmpty(tags?.map(({ key, value }) => ({ Key: key!, Value: value! }))),
      }),
      attributes: { Arn: activityArn, Name: name },
    };
  },

  update: ({ activityArn: resourceArn }, previous, desired, ctx) => changeTagsOf(resourceArn!, previous, desired, ctx),

  remove: 'DeleteActivity',
  list: {
    operation: 'ListActivities',
    token: ['nextToken', 'nextToken'],
    identifiers: ({ activities }: { activities: { activityArn: string }[] }) =>
      activities.map(({ activityArn }) => activityArn),
  },
});
