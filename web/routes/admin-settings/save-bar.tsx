import type { ReactNode } from 'react'
import type { SettingsConflict } from '../../../events/settings/wire.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'

type Bar = {
  isDirty: boolean
  isSending: boolean
  wasSaved: boolean
  problem: string | undefined
  conflict: SettingsConflict | undefined
  discard: () => void
  takeTheirs: () => void
}

const Choice = ({ what, bar, children }: { what: string; bar: Bar; children: ReactNode }) => (
  <div
    role="alert"
    css={{ padding: space.base, borderRadius: radius.card, background: colour.badWash, overflowWrap: 'anywhere' }}
  >
    <p css={{ color: colour.bad, fontWeight: 600 }}>
      {bar.conflict?.by ?? 'Somebody'} also changed {what}:
    </p>
    <div css={{ maxHeight: '16rem', margin: `${space.snug} 0`, overflow: 'auto' }}>{children}</div>
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
      <Button look="outline" onClick={bar.takeTheirs}>
        Keep theirs
      </Button>
      <Button type="submit" look="outline" disabled={bar.isSending}>
        Save mine instead
      </Button>
    </div>
  </div>
)

/**
 * The foot of a settings form: saves or discards it. `children` shows the changes that another owner has saved during
 * that time, if any.
 */
export const SaveBar = ({ what, bar, children }: { what: string; bar: Bar; children: ReactNode }) => (
  <div css={{ display: 'grid', gap: space.base, marginTop: space.roomy }}>
    <FormProblem problem={bar.problem} />
    {bar.conflict ? (
      <Choice what={what} bar={bar}>
        {children}
      </Choice>
    ) : (
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
        <Button type="submit" look={bar.isDirty ? 'solid' : 'outline'} disabled={bar.isSending}>
          {bar.isSending ? 'Saving...' : `Save ${what}`}
        </Button>
        {bar.isDirty && (
          <Button look="quiet" onClick={bar.discard}>
            Discard changes
          </Button>
        )}
        <p role="status" css={{ color: colour.soft, fontSize: type.small }}>
          {bar.isDirty && 'Not saved yet'}
          {bar.wasSaved && !bar.isDirty && 'Saved'}
        </p>
      </div>
    )}
  </div>
)
