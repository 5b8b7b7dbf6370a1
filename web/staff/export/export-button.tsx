import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import type { ExportProgress } from './workbook.ts'

/** Fewer rows are there before anybody could read a bar. */
const MIN_ROWS_OF_BAR = 5_000

const number = new Intl.NumberFormat('en-ZA')

const Bar = ({ rows, total }: ExportProgress) => (
  <label css={{ display: 'flex', alignItems: 'center', gap: space.snug, color: colour.soft, fontSize: type.small }}>
    <progress max={total} value={rows} css={{ width: '9rem', height: '0.5rem', accentColor: colour.accent }} />
    <span css={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
      {number.format(rows)} of {number.format(total)} rows
    </span>
  </label>
)

/** How an export runs: until its file is saved, or until `signal` is aborted. */
export type RunExport = (how: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void }) => Promise<void>

/** Starts an export, shows how far it is (with a bar above 5,000 rows), and lets it be cancelled; a failure is told. */
export const ExportButton = ({
  look,
  label,
  disabled,
  run,
}: {
  look: 'solid' | 'quiet'
  label: string
  disabled: boolean
  run: RunExport
}) => {
  const [progress, setProgress] = useState<ExportProgress>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const cancelling = new AbortController()
    running.current = cancelling
    setProgress({ rows: 0, total: 0 })
    try {
      await run({ signal: cancelling.signal, onProgress: setProgress })
    } catch (error) {
      if (cancelling.signal.aborted) return
      console.warn('The leads were not exported:', error)
      toast({
        title: 'The export failed',
        description: 'It broke off before the end, and nothing was saved. Try again.',
        variant: 'destructive',
      })
    } finally {
      setProgress(undefined)
    }
  }

  if (!progress) {
    return (
      <Button look={look} disabled={disabled} onClick={start}>
        {label}
      </Button>
    )
  }
  return (
    <div role="status" css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
      {progress.total > MIN_ROWS_OF_BAR ? (
        <Bar {...progress} />
      ) : (
        <span
          css={{ display: 'flex', alignItems: 'center', gap: space.tight, color: colour.soft, fontSize: type.small }}
        >
          <Spinner /> Exporting...
        </span>
      )}
      <Button look="quiet" onClick={() => running.current?.abort()}>
        Cancel
      </Button>
    </div>
  )
}
