import { copyText } from '../../staff/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { space } from '../../ui/theme.ts'

type ShownOnceProps = { id: string; label: string; hint: string; value: string; onClose: () => void }

/** A token or a secret that a program needs and that cannot be read again. */
export const ShownOnce = ({ id, label, hint, value, onClose }: ShownOnceProps) => (
  <div css={{ display: 'grid', gap: space.base }}>
    <TextField id={id} label={label} value={value} readOnly hint={hint} onFocus={({ target }) => target.select()} />
    <DialogActions>
      <Button onClick={() => copyText(value, `${label} copied`)}>Copy {label.toLowerCase()}</Button>
      <Button look="outline" onClick={onClose}>
        Done
      </Button>
    </DialogActions>
  </div>
)
