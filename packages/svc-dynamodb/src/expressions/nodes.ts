/** A step of a document path as written: a name, a name placeholder, or a list index. */
export type PathStep = { name: string } | { placeholder: string } | { index: number };

export interface PathNode {
  type: 'path';
  elements: PathStep[];
}

export interface ValueNode {
  type: 'value';
  /** Including its colon, for example `:limit`. */
  name: string;
}

export interface FunctionNode {
  type: 'function';
  name: string;
  args: OperandNode[];
}

export type OperandNode = PathNode | ValueNode | FunctionNode;
export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type ConditionNode =
  | { type: 'or' | 'and'; terms: ConditionNode[] }
  | { type: 'not' | 'parentheses'; term: ConditionNode }
  | { type: 'compare'; operator: Comparator; left: OperandNode; right: OperandNode }
  | { type: 'between'; operand: OperandNode; low: OperandNode; high: OperandNode }
  | { type: 'in'; operand: OperandNode; candidates: OperandNode[] }
  | FunctionNode;

export type SetValueNode =
  | OperandNode
  | { type: 'arithmetic'; operator: '+' | '-'; left: SetValueNode; right: SetValueNode };

export type SectionName = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

export interface ActionNode {
  path: PathNode;
  /** Absent for REMOVE. */
  value?: SetValueNode;
}

export interface UpdateNode {
  sections: { type: SectionName; actions: ActionNode[] }[];
}
