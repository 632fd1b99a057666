import type { Json, JsonObject } from './json.ts';

/** Language of a state's expressions. */
export type QueryLanguage = 'JSONPath' | 'JSONata';

/** A retrier of Retry. */
export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: 'FULL' | 'NONE';
}

/** A catcher of Catch. */
export interface Catcher {
  ErrorEquals: string[];
  Next: string;
  ResultPath?: string | null;
  Assign?: JsonObject;
  Output?: Json;
}

/** A state of a validated definition, with the fields that the interpreter uses. */
export interface State {
  Type: 'Task' | 'Pass' | 'Choice' | 'Wait' | 'Succeed' | 'Fail' | 'Parallel' | 'Map';
  QueryLanguage?: QueryLanguage;
  Next?: string;
  End?: boolean;
  InputPath?: string | null;
  OutputPath?: string | null;
  ResultPath?: string | null;
  Parameters?: Json;
  ResultSelector?: Json;
  Arguments?: Json;
  Output?: Json;
  Assign?: JsonObject;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Resource?: string;
  TimeoutSeconds?: number | string;
  TimeoutSecondsPath?: string;
  HeartbeatSeconds?: number | string;
  HeartbeatSecondsPath?: string;
  Credentials?: JsonObject;
  Result?: Json;
  Choices?: (JsonObject & { Next?: string; Condition?: boolean | string; Assign?: JsonObject; Output?: Json })[];
  Default?: string;
  Seconds?: number | string;
  SecondsPath?: string;
  Timestamp?: string;
  TimestampPath?: string;
  Error?: string;
  ErrorPath?: string;
  Cause?: string;
  CausePath?: string;
  Branches?: Block[];
  ItemProcessor?: Block & { ProcessorConfig?: { Mode?: string; ExecutionType?: string } };
  Iterator?: Block & { ProcessorConfig?: { Mode?: string; ExecutionType?: string } };
  Items?: Json;
  ItemsPath?: string;
  ItemSelector?: Json;
  MaxConcurrency?: number | string;
  MaxConcurrencyPath?: string;
  Label?: string;
  ItemReader?: {
    Resource?: string;
    Parameters?: Json;
    Arguments?: Json;
    ReaderConfig?: {
      InputType?: string;
      CSVHeaderLocation?: string;
      CSVHeaders?: string[];
      CSVDelimiter?: string;
      MaxItems?: number | string;
      MaxItemsPath?: string;
      ItemsPointer?: string;
    };
  };
  ItemBatcher?: {
    MaxItemsPerBatch?: number | string;
    MaxItemsPerBatchPath?: string;
    MaxInputBytesPerBatch?: number | string;
    MaxInputBytesPerBatchPath?: string;
    BatchInput?: Json;
  };
  ResultWriter?: { Resource?: string; Parameters?: Json; Arguments?: Json; WriterConfig?: JsonObject };
  ToleratedFailureCount?: number | string;
  ToleratedFailureCountPath?: string;
  ToleratedFailurePercentage?: number | string;
  ToleratedFailurePercentagePath?: string;
}

/** States with their start state: a state machine, a branch of Parallel, or the processor of Map. */
export interface Block {
  StartAt: string;
  States: Record<string, State>;
  QueryLanguage?: QueryLanguage;
  TimeoutSeconds?: number;
}
