import { HONEYPOT_FIELD } from '../../../events/lead/form/spam-fields.ts'
import { unseen } from '../theme.ts'

/** The field that only machines fill in: out of sight, out of the order of tabs, and hidden from screen readers. */
export const Honeypot = () => (
  <div aria-hidden="true" css={unseen}>
    <label>
      Leave this field empty
      <input name={HONEYPOT_FIELD} type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
