import { useEffect, useRef } from 'react'
import type { Colleague } from '../../../../events/staff/wire.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, radius, space, type } from '../../../ui/theme.ts'
import { momentOf } from '../../day.ts'
import { FIELD_NAMES, fieldInWords } from '../shown/labels.ts'
import { focusPanel } from './panel.tsx'
import type { Clash } from './use-follow-up.ts'

const Value = ({ author, children }: { author: string; children: string }) => (
  <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>
    <p css={{ fontWeight: 600 }}>{children}</p>
    <p css={{ color: colour.soft, fontSize: '0.8125rem' }}>{author}</p>
  </div>
)

/**
 * The changes that a colleague made while I edited the same: who, when, their value next to mine, and the choice
 * between them.
 */
export const ClashPanel = (props: {
  clash: Clash
  colleagues: readonly Colleague[]
  isSaving: boolean
  onKeepTheirs: () => void
  onUseMine: () => void
}) => {
  const { clash, colleagues } = props
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    panel.current?.focus()
    return () => {
      if (document.activeElement === document.body) focusPanel('details')
    }
  }, [])
  const lastOf = (field: string) => clash.changes.findLast(({ data }) => field in data)
  const names = [...new Set(clash.changes.map(({ by }) => by ?? 'Somebody'))]
  return (
    <div
      ref={panel}
      role="alert"
      tabIndex={-1}
      css={{
        display: 'grid',
        gap: space.base,
        marginBottom: space.roomy,
        padding: space.base,
        border: `1px solid ${colour.bad}`,
        borderRadius: radius.control,
        background: colour.badWash,
        outline: 'none',
      }}
    >
      <p css={{ color: colour.bad, fontWeight: 600 }}>
        {names.join(' and ')} changed this while you were editing. Your changes aren’t saved.
      </p>
      <ul css={{ display: 'grid', gap: space.base }}>
        {clash.fields.map((field) => {
          const change = lastOf(field)
          return (
            <li key={field}>
              <h3 css={{ fontSize: type.small, letterSpacing: 0 }}>{FIELD_NAMES[field]}</h3>
              <div css={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: space.base, marginTop: space.hair }}>
                <Value author={change ? `${change.by ?? 'Somebody'}, ${momentOf(change.timestamp)}` : 'Theirs'}>
                  {fieldInWords(field, clash.lead[field], colleagues)}
                </Value>
                <Value author="Yours">{fieldInWords(field, clash.mine[field], colleagues)}</Value>
              </div>
            </li>
          )
        })}
      </ul>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        <Button look="outline" aria-disabled={props.isSaving} onClick={props.onKeepTheirs}>
          Keep theirs
        </Button>
        <Button look="outline" aria-disabled={props.isSaving} onClick={props.onUseMine}>
          Use mine
        </Button>
      </div>
    </div>
  )
}
