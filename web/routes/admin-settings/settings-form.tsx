import { type ReactNode, useEffect, useRef } from 'react'
import type { SettingsConflict } from '../../../events/settings/wire.ts'
import { FormProblem } from '../../staff/forms/form-problem.tsx'
import { sectionTitle } from '../../staff/settings/section-titles.ts'
import { Button } from '../../ui/button.tsx'
import { colour, panel, radius, shadow, space, type } from '../../ui/theme.ts'
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
      {conflict.by ?? 'A colleague'} also changed {form.section.noun}:
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

/** Stays in sight at the window's foot as long as a section has unsaved changes. */
const saveBar = {
  position: 'sticky',
  zIndex: 4,
  bottom: `calc(${space.base} + var(--bar, 0px))`,
  padding: space.snug,
  boxShadow: shadow.floating,
  ...panel,
} as const

/** Focuses the result of saving: the pressed button is gone with the changes. */
const useFocusOnSaved = ({ wasSaved, isDirty, isSending }: Form) => {
  const result = useRef<HTMLParagraphElement>(null)
  const isOver = wasSaved && !isDirty && !isSending
  useEffect(() => {
    if (isOver && document.activeElement === document.body) result.current?.focus()
  }, [isOver])
  return result
}

/** The fields of a section of the settings, and its bar: save or discard, or the conflict with another owner. */
export const SettingsForm = ({ form, gap, children }: { form: Form; gap?: string; children: ReactNode }) => {
  const result = useFocusOnSaved(form)
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      aria-label={sectionTitle(form.section.id)}
      css={gap !== undefined && { display: 'grid', gap }}
    >
      {children}
      <div
        css={[
          { display: 'grid', gap: space.snug, marginTop: space.base },
          (form.isDirty || form.isSending || form.conflict) && saveBar,
        ]}
      >
        <FormProblem problem={form.problem} />
        {form.conflict ? (
          <Conflict form={form} conflict={form.conflict} />
        ) : (
          <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
            {(form.isDirty || form.isSending) && (
              <>
                <Button type="submit" disabled={form.isSending}>
                  {form.isSending ? 'Saving...' : `Save ${form.section.noun}`}
                </Button>
                <Button look="quiet" onClick={form.discard}>
                  Discard changes
                </Button>
              </>
            )}
            <p ref={result} tabIndex={-1} role="status" css={{ color: colour.soft, fontSize: type.small }}>
              {form.isDirty && 'Not saved yet'}
              {form.wasSaved && !form.isDirty && 'Saved'}
            </p>
          </div>
        )}
      </div>
    </form>
  )
}
