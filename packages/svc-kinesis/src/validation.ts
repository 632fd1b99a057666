import { type AwsError, validationError as commonError, type ValidationFailure, withoutValue } from '@emu/wire';

/** Members with data of the client, which messages omit. */
const DATA: readonly unknown[] = ['Records', 'Data'];

/** Returns the error for violated constraints; messages about records omit their values. */
export const validationError = (failures: readonly ValidationFailure[]): AwsError =>
  commonError(failures.map((failure) => (DATA.includes(failure.members[0]) ? withoutValue(failure) : failure)));
