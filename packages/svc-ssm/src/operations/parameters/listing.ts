import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { olderFilter, parameterFilter } from '../../parameters/filters.ts';
import { describePolicies } from '../../parameters/policies.ts';
import { currentVersion } from '../../parameters/table.ts';

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeParameters.html */
export function DescribeParameters(
  input: InputOf<'DescribeParameters'>,
  ctx: SsmContext,
): OutputOf<'DescribeParameters'> {
  const { Filters, ParameterFilters } = input;
  if (Filters?.length && ParameterFilters?.length)
    throw invalid('You can use either Filters or ParameterFilters in a single request.');
  const matches = Filters?.length ? olderFilter(Filters) : parameterFilter(ParameterFilters ?? [], 'describe');
  const { state } = ctx;
  // Parameters shared with the account are in other accounts and would require resource shares.
  const parameters = input.Shared ? [] : [...state.parameters.all()].filter(matches);
  return paging
    .page('DescribeParameters', input, parameters, ({ name }) => name)
    .list((parameter) => {
      const version = currentVersion(parameter);
      return {
        Name: parameter.name,
        ARN: state.arnOf(parameter.name),
        Type: version.type,
        ...(version.keyId !== undefined && { KeyId: version.keyId }),
        LastModifiedDate: new Date(version.modifiedAt),
        LastModifiedUser: version.modifiedBy,
        ...(version.description !== undefined && { Description: version.description }),
        ...(version.allowedPattern !== undefined && { AllowedPattern: version.allowedPattern }),
        Version: version.version,
        Tier: version.tier,
        Policies: describePolicies(version.policies),
        DataType: version.dataType,
      };
    });
}
