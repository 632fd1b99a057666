/** What came of an HTTP request. */
export interface HttpAnswer {
  /** 0 where no answer came. */
  Status: number;
  StatusText: string;
  /** By names in lower case. */
  Headers: Readonly<Record<string, readonly string[]>>;
  Body: string;
  /** What is to be said of it where it is no success. */
  Message: string;
}

/** A request as it was sent, with what its connection has added. */
export interface SentRequest {
  Url: string;
  /** By names in lower case. */
  Headers: Readonly<Record<string, string>>;
  Body: string | undefined;
}

/** What EventBridge does for other services without an API of AWS's: its connections and API destinations are its own. */
export interface EventsInternalOperations {
  SendHttpRequest: {
    input: {
      /** An API destination, or a method of a REST API. */
      Arn: string;
      HttpParameters: {
        PathParameterValues?: string[] | undefined;
        HeaderParameters?: Record<string, string> | undefined;
        QueryStringParameters?: Record<string, string> | undefined;
      };
      Body: string;
    };
    output: HttpAnswer;
  };
  SendConnectionRequest: {
    input: {
      ConnectionArn: string;
      /** Whose task it is. */
      StateMachineArn: string;
      Url: string;
      Method: string;
      /** By names in lower case. */
      HeaderParameters: Record<string, string>;
      QueryStringParameters: Record<string, string>;
      /** Headers that nothing replaces. */
      FixedHeaders: Record<string, string>;
      /** JSON text. */
      Body: string | undefined;
      /** How the lists of a body are written that is sent as a form; undefined for a body of JSON. */
      FormArrays: 'BRACKETS' | 'COMMAS' | 'INDICES' | 'NONE' | 'REPEAT' | undefined;
      /** Bytes of the answer's body that are read. */
      MostBytes: number;
      /** Milliseconds. */
      Timeout: number;
    };
    output: HttpAnswer & { Sent: SentRequest };
  };
}
