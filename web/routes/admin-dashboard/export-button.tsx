import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { colour, space, type, unseen } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'

/**
 * Starts an export, shows that it is running, and cancels it: one button, which keeps the focus. `run` resolves once
 * the file is saved or `signal` is aborted. Start and end are announced; a failure shows in a toast.
 */
export const ExportButton = (props: { disabled: boolean; run: (signal: AbortSignal) => Promise<void> }) => {
  const { disabled, run } = props
  const [isRunning, setRunning] = useState(false)
  const [progress, setProgress] = useState('')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const cancelling = new AbortController()
    running.current = cancelling
    setRunning(true)
    setProgress('Exporting')
    try {
      await run(cancelling.signal)
      setProgress('Export finished')
    } catch (error) {
      setProgress(cancelling.signal.aborted ? 'Export cancelled' : '')
      if (cancelling.signal.aborted) return
      console.warn('The leads were not exported:', error)
      toast({
        title: 'The export failed',
        description: 'The export was interrupted, and nothing was saved. Try again.',
        variant: 'destructive',
      })
    } finally {
      setRunning(false)
    }
  }

  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
      <Button
        look={isRunning ? 'quiet' : 'solid'}
        disabled={disabled && !isRunning}
        onClick={({ detail }) => {
          if (!isRunning) start()
          // the second click of a double click was meant for the start
          else if (detail < 2) running.current?.abort()
        }}
      >
        {isRunning ? 'Cancel' : 'Export to Excel'}
      </Button>
      {isRunning && (
        <span
          css={{ display: 'flex', alignItems: 'center', gap: space.tight, color: colour.soft, fontSize: type.small }}
        >
          <Spinner /> Exporting...
        </span>
      )}
      <p role="status" css={unseen}>
        {progress}
      </p>
    </div>
  )
}
