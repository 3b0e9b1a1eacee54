import { api, eases, ends, type LaterSection, noRule, rel } from './row.ts';

/** Exec (Document 4, section 7). */
export const execRows: LaterSection = {
  heading: 'Exec',
  line: 222,
  rows: [
    rel(226, 'exec.create.warnings', eases('exec.create.field.Warnings')),
    rel(227, 'exec.create.status.400', noRule('no rule says that this status does not occur')),
    api(228, 'exec.create.fields.new', '1.25', noRule('the sheet names the input and does not say what it does')),
    rel(229, 'exec.start.status.101', noRule('the rules on 101 and on 200 are those of the row already')),
    rel(230, 'exec.start.body', noRule('no rule starts without a body')),
    rel(231, 'exec.start.twice', noRule('what a second start gets is observed')),
    rel(232, 'exec.resize.status', eases('exec.resize.answers-201', 'exec.resize.media-type')),
    rel(233, 'exec.inspect.shape', noRule('the shape of 1.23 is carried forward')),
    rel(
      234,
      'exec.inspect.fields',
      ends('exec.inspect.exit-code-before-end'),
      eases('exec.inspect.field.ProcessConfig.user'),
    ),
  ],
};
