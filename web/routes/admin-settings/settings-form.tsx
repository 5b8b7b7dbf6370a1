import type { ReactNode } from 'react'
import type { SettingsConflict } from '../../../events/settings/wire.ts'
import { FormProblem } from '../../staff/form-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import type { useSettingsForm } from './use-settings-form.ts'

type Form = Pick<
  ReturnType<typeof useSettingsForm>,
  'section' | 'onSubmit' | 'problem' | 'isDirty' | 'isSending' | 'wasSaved' | 'conflict' | 'discard' | 'takeTheirs'
>

/** The changes that another owner has saved during the edit, to decide on. */
const Conflict = ({ form, conflict }: { form: Form; conflict: SettingsConflict }) => (
  <div
    role="alert"
    css={{ padding: space.base, borderRadius: radius.card, background: colour.badWash, overflowWrap: 'anywhere' }}
  >
    <p css={{ color: colour.bad, fontWeight: 600 }}>
      {conflict.by ?? 'Somebody'} also changed {form.section.noun}:
    </p>
    <div css={{ maxHeight: '16rem', margin: `${space.snug} 0`, overflow: 'auto' }}>
      <form.section.Shown settings={conflict.settings} />
    </div>
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
      <Button look="outline" onClick={form.takeTheirs}>
        Keep theirs
      </Button>
      <Button type="submit" look="outline" disabled={form.isSending}>
        Save mine instead
      </Button>
    </div>
  </div>
)

/** The fields of a part of the settings, and below them its buttons, or the conflict with another owner. */
export const SettingsForm = ({ form, gap, children }: { form: Form; gap?: string; children: ReactNode }) => (
  <form
    noValidate
    onSubmit={form.onSubmit}
    aria-label={form.section.title}
    css={gap !== undefined && { display: 'grid', gap }}
  >
    {children}
    <div css={{ display: 'grid', gap: space.base, marginTop: space.roomy }}>
      <FormProblem problem={form.problem} />
      {form.conflict ? (
        <Conflict form={form} conflict={form.conflict} />
      ) : (
        <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
          <Button type="submit" look={form.isDirty ? 'solid' : 'outline'} disabled={form.isSending}>
            {form.isSending ? 'Saving...' : `Save ${form.section.noun}`}
          </Button>
          {form.isDirty && (
            <Button look="quiet" onClick={form.discard}>
              Discard changes
            </Button>
          )}
          <p role="status" css={{ color: colour.soft, fontSize: type.small }}>
            {form.isDirty && 'Not saved yet'}
            {form.wasSaved && !form.isDirty && 'Saved'}
          </p>
        </div>
      )}
    </div>
  </form>
)
