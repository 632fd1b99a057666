import { call, type Json, pages } from '../api.ts';
import { button, field, fill, form, h, heading, table } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** Users and roles, and a simulation of their policies. */
export const users: View = async (main) => {
  const paging = ['Marker', 'Marker'] as const;
  const all = await pages('iam', 'ListUsers', {}, [...paging, 'Users']);
  const roles = await pages('iam', 'ListRoles', {}, [...paging, 'Roles']);
  const rows = [...all, ...roles].map(({ UserName, RoleName, Arn, CreateDate }: Json) => [
    h('span', { className: 'badge' }, UserName ? 'user' : 'role'),
    UserName ?? RoleName,
    h('code', {}, Arn),
    String(CreateDate ?? '').slice(0, 10),
    button(
      'Simulate',
      () => {
        principal.value = Arn;
        actions.focus();
      },
      'link',
    ),
  ]);
  const [principal, actions, resource] = [
    h('input', { required: true, placeholder: 'arn:aws:iam::…:user/…' }),
    h('input', { required: true, placeholder: 's3:GetObject, s3:PutObject' }),
    h('input', { value: '*', required: true }),
  ];
  const verdicts = h('div', { ariaLive: 'polite' });
  const simulate = async () => {
    const { EvaluationResults = [] } = await call('iam', 'SimulatePrincipalPolicy', {
      PolicySourceArn: principal.value,
      ActionNames: actions.value.split(/[\s,]+/).filter(Boolean),
      ResourceArns: [resource.value],
    });
    const found = EvaluationResults.map((each: Json) => [
      each.EvalActionName,
      each.EvalResourceName ?? '',
      h('span', { className: `badge ${each.EvalDecision === 'allowed' ? 'ok' : 'error'}` }, each.EvalDecision),
      (each.MatchedStatements ?? []).map((statement: Json) => statement.SourcePolicyId).join(', '),
    ]);
    fill(verdicts, table(['Action', 'Resource', 'Decision', 'By'], found, 'No verdict.'));
  };
  fill(
    main,
    heading('Users and roles', button('Refresh', reload)),
    table(['Kind', 'Name', 'ARN', 'Created', ''], rows, 'No users and roles yet.'),
    h('h2', {}, 'Policy simulator'),
    form(simulate, 'Simulate', field('Principal', principal), field('Actions', actions), field('Resource', resource)),
    verdicts,
  );
};
