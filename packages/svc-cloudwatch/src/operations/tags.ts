import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';
import { invalidParameterValue, noSuchResource } from '../errors.ts';
import { alarmType, dashboardType, insightRuleType, metricStreamType, muteRuleType } from '../resources.ts';
import { tagging } from '../tags.ts';

const missing = (_key: object, arn: string) => noSuchResource('Unknown', 'Resource', arn);

/** Tags of resources. @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<CloudwatchOperations, CloudwatchContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({
    member: 'ResourceARN',
    types: [taggable([alarmType, dashboardType, insightRuleType, metricStreamType, muteRuleType], missing)],
    listsUnknown: true,
    unknown: (arn) => invalidParameterValue(`Invalid ARN: ${arn}`),
  }),
});
