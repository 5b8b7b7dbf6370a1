import { TRAP_FIELD } from '../../../events/suspicion.ts'
import { unseen } from '../theme.ts'

/** The field that only machines fill in: out of sight, out of the order of tabs, and hidden from screen readers. */
export const Trap = () => (
  <div aria-hidden="true" css={unseen}>
    <label>
      Leave this field empty
      <input name={TRAP_FIELD} type="text" tabIndex={-1} autoComplete="off" />
    </label>
  </div>
)
