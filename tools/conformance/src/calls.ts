import type { EmbeddedEmulator } from '@emu/emulator';

/** A call of one service to another. */
export interface InternalCall {
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
  readonly accountId: string;
  readonly region: string;
}

/** Account and region of a call; the emulator's own by default. */
interface Place {
  readonly accountId?: string;
  readonly region?: string;
}

type Dispatch = (service: string, operation: string, input: unknown, options?: Place) => Promise<unknown>;

/** Records the calls between the services of an emulator, also those to services that it lacks. */
export class InternalCalls {
  /** Recorded calls, oldest first. */
  readonly recorded: InternalCall[] = [];

  constructor({ kernel }: Pick<EmbeddedEmulator, 'kernel'>) {
    const { calls } = Reflect.get(kernel, 'parts') as { calls: { dispatch: Dispatch } };
    const dispatch = calls.dispatch.bind(calls);
    const { settings } = kernel;
    calls.dispatch = (service, operation, input, options = {}) => {
      const { accountId = settings.accountId, region = settings.region } = options;
      this.recorded.push({ service, operation, input, accountId, region });
      return dispatch(service, operation, input, options);
    };
  }
}
