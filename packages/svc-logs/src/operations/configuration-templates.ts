import { notEmulated } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { paging } from '../paging.ts';
import { kindOf, TEMPLATES } from '../vended/templates.ts';
import { isVendedService } from './delivery-sources.ts';

/**
 * Lists possible settings of deliveries. Services whose logs emu does not produce have no templates.
 * @throws AwsError `ResourceNotFoundException` for services without vended logs, `ValidationException`;
 * `NotImplemented` for services missing in emu
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeConfigurationTemplates.html
 */
export function DescribeConfigurationTemplates(
  input: InputOf<'DescribeConfigurationTemplates'>,
  _ctx: LogsContext,
): OutputOf<'DescribeConfigurationTemplates'> {
  const { service, logTypes, resourceTypes, deliveryDestinationTypes } = input;
  if (service !== undefined && !kindOf(service)) {
    if (!isVendedService(service)) throw notFound('Cannot access provided service.');
    throw notEmulated(`configuration templates of the service ${service}`);
  }
  const found = TEMPLATES.filter(
    (template) =>
      (service === undefined || template.service === service) &&
      (logTypes?.includes(template.logType!) ?? true) &&
      (resourceTypes?.includes(template.resourceType!) ?? true) &&
      (deliveryDestinationTypes?.includes(template.deliveryDestinationType!) ?? true),
  );
  const keyOf = ({ service: owner, logType, deliveryDestinationType }: (typeof TEMPLATES)[number]) =>
    `${owner} ${logType} ${deliveryDestinationType}`;
  return paging
    .page('DescribeConfigurationTemplates', input, found, keyOf)
    .list((template) => structuredClone(template));
}
