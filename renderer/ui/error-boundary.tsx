import { Component, type ErrorInfo, type ReactNode } from 'react';
import type { WindowText } from '../text/window-text.ts';
import { Button } from './button.tsx';

interface Props {
  readonly text: WindowText;
  readonly children: ReactNode;
}
interface State {
  readonly details: string | null;
}

/** Keeps a view that failed from taking the others with it. Reload shows the view anew; the page (and its key) stays. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { details: null };

  static getDerivedStateFromError(error: unknown): State {
    return { details: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
  }

  override componentDidCatch(_error: unknown, { componentStack }: ErrorInfo): void {
    this.setState(({ details }) => ({ details: `${details ?? ''}\n${componentStack ?? ''}` }));
  }

  override render(): ReactNode {
    const { details } = this.state;
    const { text, children } = this.props;
    if (details === null) return children;
    return (
      <div className="centre" role="alert">
        <p>{text.failed.view}</p>
        <div className="centre-acts">
          <Button onPress={() => this.setState({ details: null })}>{text.failed.reload}</Button>
          <Button look="quiet" onPress={() => void navigator.clipboard.writeText(details)}>
            {text.failed.copy}
          </Button>
        </div>
      </div>
    );
  }
}
